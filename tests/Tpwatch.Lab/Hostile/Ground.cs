using System.Diagnostics;
using System.Globalization;
using System.Text;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Run;

namespace Tpwatch.Lab.Hostile;

/// <summary>Where one case takes place: a folder, targets, and the tool as a process or within this one. Nothing of it is left.</summary>
sealed class Ground : IAsyncDisposable
{
    /// <summary>What is read or refused is read or refused within a second; a busy machine takes longer.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(45);

    static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(20);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-hostile-");
    readonly List<Process> started = [];
    readonly List<FixtureProcess> targets = [];

    public Ground() => Directory.CreateDirectory(Temporary);

    /// <summary>The tool's own temporary folder; empty at the end.</summary>
    public string Temporary => this["tmp"];

    public string this[string name] => Path.Combine(folder.FullName, name);

    /// <summary>Whoever started us may ignore signals, and what we start would inherit that: <c>nohup</c>, a shell's background.</summary>
    public const string DefaultSignals = "--default-signal=INT,QUIT,HUP,TERM";

    /// <summary>Copies a recording with what lies beside it; the path of the copy.</summary>
    public string Bring(string name, string to = "a")
    {
        foreach (var ending in (string[])[".nettrace", ".nettrace.json", ".deep.nettrace"])
        {
            var from = BuiltPrograms.Recording(name)[..^".nettrace".Length] + ending;
            if (File.Exists(from))
                File.Copy(from, this[to + ending], overwrite: true);
        }

        return this[to + ".nettrace"];
    }

    /// <summary>A command line run within this process, which takes milliseconds.</summary>
    public static async Task<ToolResult> HereAsync(params string[] words)
    {
        // Through the doors that clean what leaves.
        var (said, complained) = (new MemoryStream(), new MemoryStream());
        using var output = new StreamWriter(new ResultStream(said, "standard output")) { NewLine = "\n" };
        using var error = new StreamWriter(new ErrorStream(complained)) { NewLine = "\n", AutoFlush = true };
        var context = new CommandContext(
            new LiveEngine(), output, error, TerminalFacts.None, TimeProvider.System, CancellationToken.None);
        var run = Task.Run(() => Tpwatch.Program.RunAsync(words, context));
        HarmDoneException.If(await Task.WhenAny(run, Task.Delay(Limit)) != run, Harm.Hung, string.Join(' ', words));
        await output.FlushAsync();
        return new(await run, Encoding.UTF8.GetString(said.ToArray()), Encoding.UTF8.GetString(complained.ToArray()));
    }

    /// <summary>The tool as a process.</summary>
    public Task<ToolResult> RunAsync(params string[] words) => EndAsync(StartTool(words));

    /// <summary>The tool through a shell, where <c>T</c> is the tool and <c>$1</c> and so on are the words.</summary>
    public Task<ToolResult> ShellAsync(string script, params string[] words) =>
        EndAsync(Start("/bin/sh", ["-c", $"T() {{ '{BuiltPrograms.Host}' '{BuiltPrograms.Tool}' \"$@\"; }}; {script}", "sh", .. words]));

    /// <summary>Starts the tool, or a script that becomes it, to be treated badly.</summary>
    public Process Start(string program, params string[] words)
    {
        var start = new ProcessStartInfo("env", [DefaultSignals, program, .. words])
        {
            RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        start.Environment["TMPDIR"] = Temporary;
        var process = Process.Start(start)!;
        started.Add(process);
        process.StandardInput.Close();
        return process;
    }

    /// <summary>The tool itself, to be treated badly.</summary>
    public Process StartTool(params string[] words) => Start(BuiltPrograms.Host, [BuiltPrograms.Tool, .. words]);

    /// <summary>Its end, with what it said.</summary>
    public static async Task<ToolResult> EndAsync(Process process)
    {
        using var limit = new CancellationTokenSource(Limit);
        try
        {
            var said = await Task.WhenAll(
                process.StandardOutput.ReadToEndAsync(limit.Token), process.StandardError.ReadToEndAsync(limit.Token));
            await process.WaitForExitAsync(limit.Token);
            return new(process.ExitCode, said[0], said[1]);
        }
        catch (OperationCanceledException)
        {
            throw new HarmDoneException(Harm.Hung, string.Join(' ', process.StartInfo.ArgumentList));
        }
    }

    /// <summary>A fixture that runs; its process id.</summary>
    public async Task<int> TargetAsync(string scenario = "steady", params (string Name, string Value)[] environment)
    {
        var start = new ProcessStartInfo(BuiltPrograms.Host, [BuiltPrograms.Fixtures]);
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        var target = await FixtureProcess.StartAsync(start, [scenario, "--seconds", "120"]);
        targets.Add(target);
        await target.BeginAsync();
        return target.Pid;
    }

    /// <summary>Waits until something is so; false when it is not within a time.</summary>
    public static async Task<bool> BecomesAsync(Func<bool> wanted, TimeSpan within)
    {
        for (var began = TimeProvider.System.GetTimestamp(); !wanted(); await Task.Delay(Pace))
        {
            if (TimeProvider.System.GetElapsedTime(began) > within)
                return false;
        }

        return true;
    }

    /// <summary>Sends a signal, to any process.</summary>
    public static Task SignalAsync(string signal, int pid) => Signal.SendAsync(signal, pid, CancellationToken.None);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var process in started)
        {
            if (!process.HasExited)
                process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync();
            process.Dispose();
        }

        foreach (var target in targets)
            await target.DisposeAsync();
        folder.Delete(recursive: true);
    }

    /// <summary>
    /// Nothing is left in the tool's temporary folder; what the runtime itself leaves of a process that is killed is not ours.
    /// </summary>
    public void NothingIsLeft()
    {
        var left = Directory.GetFileSystemEntries(Temporary).Select(f => Path.GetFileName(f))
            .Where(f => !f.StartsWith("dotnet-diagnostic-", StringComparison.Ordinal)
                && !f.StartsWith("clr-debug-pipe-", StringComparison.Ordinal)
                && !f.StartsWith(".dotnet", StringComparison.Ordinal)).ToArray();
        HarmDoneException.If(left.Length > 0, Harm.LeftBehind, string.Join(", ", left));
    }
}

/// <summary>What a process has started.</summary>
static class Children
{
    public static IEnumerable<int> Of(int parent) => Directory.GetDirectories("/proc").Select(Path.GetFileName)
        .Select(name => int.TryParse(name, CultureInfo.InvariantCulture, out var pid) ? pid : 0)
        .Where(pid => pid > 0 && ParentOf(pid) == parent).ToArray();

    // The name before it may hold anything.
    static int ParentOf(int pid) =>
        OpenSessions.Read($"/proc/{pid}/stat") is { Length: > 0 } stat
            ? int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture)
            : 0;
}

/// <summary>How many sessions a target has, seen from outside: the runtime sends each from a thread of its own, which it names.</summary>
static class OpenSessions
{
    /// <summary>Two seconds are promised; the machine may be busy.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(5);

    /// <summary>All of them end in time.</summary>
    public static async Task AreGoneAsync(int pid) =>
        HarmDoneException.If(!await Ground.BecomesAsync(() => Count(pid) <= 0, EndLimit), Harm.LeftBehind, "a session in the target");

    /// <summary>One is open.</summary>
    public static async Task IsOpenAsync(int pid) =>
        HarmDoneException.If(!await Ground.BecomesAsync(() => Count(pid) > 0, Ground.Limit), Harm.Hung, "no session was opened");

    // The thread that listens at the diagnostic port is called so, too. Threads and the process may end meanwhile.
    static int Count(int pid)
    {
        try
        {
            return Directory.GetDirectories($"/proc/{pid}/task")
                .Count(thread => Read(Path.Combine(thread, "comm")).StartsWith(".NET EventPipe", StringComparison.Ordinal)) - 1;
        }
        catch (DirectoryNotFoundException)
        {
            return 0;
        }
    }

    /// <summary>A file of /proc; empty when the process has ended.</summary>
    public static string Read(string file)
    {
        try
        {
            return File.ReadAllText(file);
        }
        catch (IOException)
        {
            return "";
        }
    }
}
