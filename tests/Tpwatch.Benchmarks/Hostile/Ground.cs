using System.Diagnostics;
using System.Globalization;
using System.Text;
using Tpwatch.LiveTests.Packaging;
using Tpwatch.LiveTests.Targets;
using Tpwatch.Run;

namespace Tpwatch.Benchmarks.Hostile;

/// <summary>Where one case takes place: a folder, targets, and the tool as a process or within this one. Nothing of it is left.</summary>
sealed class Ground : IAsyncDisposable
{
    /// <summary>What is read or refused is read or refused within a second; a busy machine takes longer.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(45);

    static readonly TimeSpan ReadyLimit = TimeSpan.FromSeconds(30);

    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-hostile-");
    readonly List<Process> started = [];

    public Ground() => Directory.CreateDirectory(Temporary);

    /// <summary>The tool's own temporary folder; empty at the end.</summary>
    public string Temporary => this["tmp"];

    public string this[string name] => Path.Combine(folder.FullName, name);

    public static string Host => Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    /// <summary>Whoever started us may ignore signals, and what we start would inherit that: <c>nohup</c>, a shell's background.</summary>
    public const string DefaultSignals = "--default-signal=INT,QUIT,HUP,TERM";

    public static string Tool { get; } = BuiltPrograms.Tool;

    public static string Fixtures { get; } = Built("Tpwatch.Fixtures", "Tpwatch.Fixtures.dll");

    public static string Recording(string name) => Path.Combine(SourceBuild.Root, "tests", "Recordings", name + ".nettrace");

    public static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    /// <summary>Copies a recording with what lies beside it; the path of the copy.</summary>
    public string Bring(string name, string to = "a")
    {
        foreach (var ending in (string[])[".nettrace", ".nettrace.json", ".deep.nettrace"])
        {
            var from = Recording(name)[..^".nettrace".Length] + ending;
            if (File.Exists(from))
            {
                File.Copy(from, this[to + ending], overwrite: true);
            }
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
        if (await Task.WhenAny(run, Task.Delay(Limit)) != run)
        {
            throw new HarmDoneException(Harm.Hung, string.Join(' ', words));
        }

        await output.FlushAsync();
        return new(await run, Encoding.UTF8.GetString(said.ToArray()), Encoding.UTF8.GetString(complained.ToArray()));
    }

    /// <summary>The tool as a process.</summary>
    public Task<ToolResult> RunAsync(params string[] words) => ProcessAsync(Host, [Tool, .. words]);

    /// <summary>The tool through a shell, where <c>T</c> is the tool and <c>$1</c> and so on are the words.</summary>
    public Task<ToolResult> ShellAsync(string script, params string[] words) =>
        ProcessAsync("/bin/sh", ["-c", $"T() {{ '{Host}' '{Tool}' \"$@\"; }}; {script}", "sh", .. words]);

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
        var start = new ProcessStartInfo(Host, [Fixtures, scenario, "--seconds", "120"])
        {
            RedirectStandardOutput = true, RedirectStandardInput = true,
        };
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        var process = Process.Start(start)!;
        started.Add(process);
        using var limit = new CancellationTokenSource(ReadyLimit);
        while (await process.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY", StringComparison.Ordinal))
            {
                _ = process.StandardOutput.BaseStream.CopyToAsync(Stream.Null, CancellationToken.None);
                return process.Id;
            }
        }

        throw new InvalidOperationException("the target ended before it was ready");
    }

    /// <summary>Sends a signal, to any process.</summary>
    public static Task SignalAsync(string signal, int pid) => Signal.SendAsync(signal, pid, CancellationToken.None);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var process in started)
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }

            await process.WaitForExitAsync();
            process.Dispose();
        }

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
        if (left.Length > 0)
        {
            throw new HarmDoneException(Harm.LeftBehind, string.Join(", ", left));
        }
    }

    static string Built(string project, string file)
    {
        var ours = AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar);
        return Path.GetFullPath(Path.Combine(ours, "..", "..", project, Path.GetFileName(ours), file));
    }

    Task<ToolResult> ProcessAsync(string program, string[] words) => EndAsync(Start(program, words));
}
