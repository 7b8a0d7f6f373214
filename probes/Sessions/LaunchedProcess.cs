using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// A program that tpwatch has started in order to observe it from its first instruction. Its runtime waits until a session is open.
/// Disposing this object ends the program. If tpwatch ends, the program ends too.
/// </summary>
sealed partial class LaunchedProcess : IAsyncDisposable
{
    const int SigTerm = 15;

    /// <summary>
    /// Time limit for the runtime's socket, which appears within 20 ms on a quiet machine and within 2 s on a loaded one.
    /// </summary>
    static readonly TimeSpan RuntimeLimit = TimeSpan.FromSeconds(10);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(5);

    /// <summary>Time limit for the program's end after SIGTERM; container hosts usually have the same limit.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    readonly Process process;
    readonly string name;
    readonly ChildOutput output;
    readonly OrphanGuard guard;
    bool resumed;
    bool disposed;

    LaunchedProcess(Process process, string name, Stream? passOn, OrphanGuard guard)
    {
        this.process = process;
        this.name = name;
        this.guard = guard;
        output = new ChildOutput(process, passOn);
        Exit = ExitAsync();
        AppDomain.CurrentDomain.ProcessExit += OnOurExit;
        if (process.StartInfo.RedirectStandardInput)
        {
            process.StandardInput.Close();
        }
    }

    public int Pid => process.Id;

    /// <summary>
    /// Completes with the exit code when the program has ended, for whatever reason; 128 + the signal number when a signal ended it.
    /// </summary>
    public Task<int> Exit { get; }

    /// <summary>
    /// Starts a program. Its redirected output is read and written to <paramref name="passOn"/> (null discards it); a redirected input is
    /// empty. Throws <see cref="UserErrorException"/> if the program does not exist, or is the SDK, which would run the real program as a
    /// child (exit code 3), or if diagnostics are disabled (1).
    /// </summary>
    public static async Task<LaunchedProcess> StartAsync(ProcessStartInfo command, Stream? passOn = null)
    {
        string[] words = [command.FileName, .. command.ArgumentList];
        if (LaunchErrors.WhyNot(words) is { } reason)
        {
            throw reason;
        }

        var start = SuspendedStart.Of(command);
        if (ProcEnvironment.Of(start.Environment.Select(v => $"{v.Key}={v.Value}")).WhatDisablesDiagnostics() is { } setting)
        {
            throw LaunchErrors.DiagnosticsDisabled(setting);
        }

        var guard = OrphanGuard.Start($"{SuspendedStart.Variable}={start.Environment[SuspendedStart.Variable]}");
        Process? process = null;
        try
        {
            process = Process.Start(start)!;
            guard.Watch(process.Id);
            return new LaunchedProcess(process, command.FileName, passOn, guard);
        }
        catch (Exception e)
        {
            // The program is suspended at its start; without a session, it would stay suspended for ever.
            process?.Kill(entireProcessTree: true);
            await guard.DisposeAsync().ConfigureAwait(false);
            throw e is Win32Exception ? LaunchErrors.NotStarted(command.FileName, e) : e;
        }
    }

    /// <summary>
    /// Opens a session and resumes the program. Throws <see cref="UserErrorException"/> (exit code 1) if the program has ended or is not a
    /// .NET program; the caller then disposes this object, which ends the program.
    /// </summary>
    internal async Task<LiveSession> OpenSessionAsync(Func<TargetFacts, SessionPlan> plan, CancellationToken cancel)
    {
        var target = await RuntimeAsync(SystemPaths.Local, TimeProvider.System, cancel).ConfigureAwait(false);
        LiveSessionSetting setting = new() { Source = SessionSource.Launched, Resume = true };

        // Resets the variable, because child processes inherit it: they would be suspended too, and no session would resume them.
        setting = setting with { Environment = setting.Environment.Add(SuspendedStart.Variable, "0") };
        var session = await LiveSession.OpenAsync(setting, target, plan, cancel).ConfigureAwait(false);
        resumed = true;
        guard.Goes();
        return session;
    }

    /// <summary>Ends the program: sends SIGTERM first, then kills it and its descendants. Takes 10 s or less.</summary>
    public async Task EndAsync()
    {
        // A suspended program would not handle the signal.
        if (!process.HasExited && resumed && !OperatingSystem.IsWindows() && Kill(process.Id, SigTerm) == 0)
        {
            await Task.WhenAny(Exit, Task.Delay(EndLimit)).ConfigureAwait(false);
        }

        KillTree();
        await Exit.ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        if (disposed)
        {
            return;
        }

        disposed = true;
        await EndAsync().ConfigureAwait(false);
        AppDomain.CurrentDomain.ProcessExit -= OnOurExit;
        await output.EndAsync().ConfigureAwait(false);
        process.Dispose();
    }

    async Task<Target> RuntimeAsync(SystemPaths machine, TimeProvider time, CancellationToken cancel)
    {
        var started = time.GetTimestamp();
        while (time.GetElapsedTime(started) < RuntimeLimit)
        {
            if (process.HasExited)
            {
                await output.EndAsync().ConfigureAwait(false);
                throw LaunchErrors.EndedEarly(name, process.ExitCode, output.SaidFirst());
            }

            if (await LookAsync(machine, time, cancel).ConfigureAwait(false) is { } target)
            {
                return target;
            }

            if (Descendants.FirstDotnet(machine, Pid) is { } child)
            {
                throw LaunchErrors.NoRuntime(name, RuntimeLimit, child);
            }

            await Task.Delay(LookAgain, time, cancel).ConfigureAwait(false);
        }

        throw LaunchErrors.NoRuntime(name, RuntimeLimit, child: null);
    }

    // Returns null until the runtime answers a request: the socket file appears a moment before the runtime listens on it.
    async Task<Target?> LookAsync(SystemPaths machine, TimeProvider time, CancellationToken cancel) => !machine.IsLinux
        ? DiagnosticsClient.GetPublishedProcesses().Contains(Pid) ? new Target { Pid = Pid, Name = process.ProcessName } : null
        : ProcessPortrait.Of(machine, Pid) is { Socket.Path: { } path }
            && await new DiagnosticPortClient(path, time).ProcessInfoAsync(cancel).ConfigureAwait(false) is not null
            ? TargetFinder.ByPid(machine, Pid)
            : null;

    async Task<int> ExitAsync()
    {
        await process.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        await guard.DisposeAsync().ConfigureAwait(false);
        return process.ExitCode;
    }

    // After a second stop request tpwatch exits at once, without disposing this object; the program must end too.
    void OnOurExit(object? sender, EventArgs e) => KillTree();

    void KillTree()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int pid, int signal);
}

static class Descendants
{
    /// <summary>Name and pid of the first descendant with a .NET runtime, such as "App (4711)"; null if none, or outside Linux.</summary>
    public static string? FirstDotnet(SystemPaths machine, int pid)
    {
        for (Queue<int> left = new(Children(machine, pid)); left.TryDequeue(out var child);)
        {
            if (ProcessPortrait.Of(machine, child) is { Socket.Path: not null } portrait)
            {
                return string.Create(CultureInfo.InvariantCulture, $"{portrait.Name} ({child})");
            }

            foreach (var grandchild in Children(machine, child))
            {
                left.Enqueue(grandchild);
            }
        }

        return null;
    }

    // Reads only the main thread's children: shells and launchers have no other thread.
    static IEnumerable<int> Children(SystemPaths machine, int pid)
    {
        var text = machine.IsLinux
            ? machine.Tree.Read(pid, string.Create(CultureInfo.InvariantCulture, $"task/{pid}/children")).Text
            : null;
        return (text ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id => int.Parse(id, CultureInfo.InvariantCulture));
    }
}

/// <summary>Starts a program so that its runtime waits until a diagnostic client resumes it.</summary>
static class SuspendedStart
{
    /// <summary>The environment variable that makes a runtime wait at its start.</summary>
    public const string Variable = "DOTNET_DefaultDiagnosticPortSuspend";

    // Random numbers of eight decimal digits. The runtime reads the digits as hexadecimal; below 0x80000000, they fit into 31 bits.
    const int LeastMark = 10_000_000;
    const int MostMark = 80_000_000;

    /// <summary>A copy of the command that starts the program suspended.</summary>
    public static ProcessStartInfo Of(ProcessStartInfo command)
    {
        ProcessStartInfo start = new(ExecutableSearch.Find(command.FileName), command.ArgumentList)
        {
            Arguments = command.Arguments,
            WorkingDirectory = command.WorkingDirectory,
            RedirectStandardInput = command.RedirectStandardInput,
            RedirectStandardOutput = command.RedirectStandardOutput,
            RedirectStandardError = command.RedirectStandardError,
        };
        start.Environment.Clear();
        foreach ((var key, var value) in command.Environment)
        {
            start.Environment[key] = value;
        }

        // Any number but 0 suspends; a random number lets the guard recognise this process.
        start.Environment[Variable] = Random.Shared.Next(LeastMark, MostMark).ToString(CultureInfo.InvariantCulture);
        return start;
    }
}

/// <summary>
/// Finds a program as a shell does: looks up a name without a folder along PATH only. <see cref="Process"/> would search tpwatch's own
/// folder and the current folder first, and could start another program than a shell does.
/// </summary>
static class ExecutableSearch
{
    const UnixFileMode Executable = UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute;

    /// <summary>
    /// Returns the program's path. Throws <see cref="UserErrorException"/> (exit code 3) if no such program can be executed.
    /// </summary>
    public static string Find(string name) => Find(name, Environment.GetEnvironmentVariable("PATH") ?? "");

    internal static string Find(string name, string searchPath)
    {
        if (OperatingSystem.IsWindows())
        {
            return name;
        }

        string[] candidates = name.Contains('/', StringComparison.Ordinal)
            ? [Path.GetFullPath(name)]
            : [.. searchPath.Split(':').Select(folder => Path.GetFullPath(Path.Combine(folder.Length == 0 ? "." : folder, name)))];
        return candidates.FirstOrDefault(IsExecutable) ?? throw WhyNot(name, candidates);
    }

    static bool IsExecutable(string path) =>
        !OperatingSystem.IsWindows() && File.Exists(path) && (File.GetUnixFileMode(path) & Executable) != 0;

    static UserErrorException WhyNot(string name, string[] candidates) =>
        name.Contains('/', StringComparison.Ordinal) && Directory.Exists(name)
            ? LaunchErrors.Refused($"'{name}' is a folder", "give the program and its arguments: -- dotnet App.dll")
        : candidates.FirstOrDefault(File.Exists) is { } file
            ? LaunchErrors.Refused(
                $"'{file}' cannot be executed", file.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
                    ? $"write -- dotnet {name}"
                    : "make it executable (chmod +x), or name the program that runs it")
        : LaunchErrors.Refused($"the command '{name}' was not found", "give a program on the PATH, or its path: -- dotnet App.dll");
}

/// <summary>
/// Reads the redirected streams of a child and passes them on; a full pipe would block the child. Keeps the last bytes of the child's
/// standard error, for the error message if no runtime starts.
/// </summary>
sealed class ChildOutput
{
    const int MostKept = 4096;
    const int Buffer = 4096;

    /// <summary>Time limit for reading to the end: processes that outlive the child may hold its streams open.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(1);

    readonly Task reading;
    readonly List<byte> kept = [];

    public ChildOutput(Process process, Stream? passOn)
    {
        var start = process.StartInfo;
        var errors = start.RedirectStandardError ? ReadAsync(process.StandardError.BaseStream, passOn, Keep) : Task.CompletedTask;
        var output = start.RedirectStandardOutput ? ReadAsync(process.StandardOutput.BaseStream, passOn, _ => { }) : Task.CompletedTask;
        reading = Task.WhenAll(errors, output);
    }

    /// <summary>Waits up to 1 s until all output has been passed on.</summary>
    public async Task EndAsync()
    {
        try
        {
            await reading.WaitAsync(EndLimit).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
        }
    }

    /// <summary>The first non-empty line of the kept standard error; null if there is none. Call after <see cref="EndAsync"/>.</summary>
    public string? SaidFirst() => Encoding.UTF8.GetString([.. this.kept])
        .Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault();

    void Keep(ReadOnlyMemory<byte> bytes)
    {
        this.kept.AddRange(bytes.ToArray());
        this.kept.RemoveRange(0, Math.Max(0, this.kept.Count - MostKept));
    }

    static async Task ReadAsync(Stream from, Stream? passOn, Action<ReadOnlyMemory<byte>> each)
    {
        var buffer = new byte[Buffer];
        try
        {
            while (await from.ReadAsync(buffer).ConfigureAwait(false) is > 0 and var count)
            {
                each(buffer.AsMemory(0, count));
                passOn?.Write(buffer, 0, count);
                passOn?.Flush();
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // One end of the stream was closed: nothing more can be passed on.
        }
    }
}

/// <summary>
/// Ends a child when tpwatch has died, for example after kill -9. A suspended child is killed at once, because no other process would
/// resume it. A running child gets SIGTERM first. The guard is a shell that reads a pipe from tpwatch. If tpwatch dies before it has
/// written the child's pid, the shell finds the child by its environment (Linux). Unix only.
/// </summary>
sealed class OrphanGuard(Process? shell) : IAsyncDisposable
{
    const string Shell = "/bin/sh";

    // The shell ignores signals from the terminal, because it must not end before tpwatch. A read fails when tpwatch has ended. The sleep
    // lets a child that is being started show its environment.
    const string Script = """
        trap '' HUP INT TERM TSTP
        read -r pid
        [ "$pid" = done ] && exit
        read -r said
        [ "$said" = done ] && exit
        if [ "$said" = goes ]; then
            read -r said && exit
            kill -TERM "$pid" 2>/dev/null && sleep 2
        fi
        if [ -z "$pid" ]; then
            sleep 1
            cd /proc && pid=$(grep -lsF "$1" [0-9]*/environ)
            pid=${pid%%/*}
        fi
        [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null
        """;

    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(2);

    bool disposed;

    /// <summary>
    /// Starts the guard. Called before the child starts, so that the child is never unguarded. Without a shell, the guard does nothing.
    /// </summary>
    /// <param name="mark">An environment variable of the child, as NAME=VALUE, with a value that no other process has.</param>
    public static OrphanGuard Start(string mark)
    {
        if (!File.Exists(Shell))
        {
            return new OrphanGuard(null);
        }

        try
        {
            return new OrphanGuard(
                Process.Start(new ProcessStartInfo(Shell, ["-c", Script, "tpwatch-guard", mark]) { RedirectStandardInput = true }));
        }
        catch (Win32Exception)
        {
            return new OrphanGuard(null);
        }
    }

    /// <summary>Passes the pid of the guarded child.</summary>
    public void Watch(int pid) => Write(pid.ToString(CultureInfo.InvariantCulture));

    /// <summary>Reports that the child has been resumed: from now on it can be ended with SIGTERM.</summary>
    public void Goes() => Write("goes");

    /// <summary>Ends the guard without ending the child; called when the child has ended.</summary>
    public async ValueTask DisposeAsync()
    {
        if (shell is null || disposed)
        {
            return;
        }

        disposed = true;
        Write("done");
        shell.StandardInput.Close();
        try
        {
            await shell.WaitForExitAsync(CancellationToken.None).WaitAsync(EndLimit).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            shell.Kill();
        }

        shell.Dispose();
    }

    void Write(string line)
    {
        try
        {
            shell?.StandardInput.Write(line + "\n");
            shell?.StandardInput.Flush();
        }
        catch (IOException)
        {
            // Another process has killed the shell. The child is then not guarded; nothing else changes.
        }
    }
}

/// <summary>Errors for commands that cannot be launched and observed, each with a hint for the user.</summary>
static class LaunchErrors
{
    const string Dotnet = "dotnet";

    /// <summary>
    /// Verbs of the SDK. <c>dotnet VERB</c> runs the SDK itself. The program that the user wants to observe is then a child process of the
    /// SDK, or does not run at all.
    /// </summary>
    static readonly string[] SdkVerbs =
        ["run", "watch", "test", "build", "publish", "msbuild", "pack", "restore", "clean", "vstest", "tool", "dnx", "new", "format"];

    /// <summary>Checks a command before its start: returns an error if the command is empty or starts the SDK, otherwise null.</summary>
    /// <param name="words">The program and its arguments.</param>
    public static UserErrorException? WhyNot(IReadOnlyList<string> words)
    {
        if (words is [] or ["", ..])
        {
            return Refused("no command was given", "write the program and its arguments after --: -- dotnet App.dll");
        }

        if (!Path.GetFileNameWithoutExtension(words[0]).Equals(Dotnet, StringComparison.OrdinalIgnoreCase))
        {
            return null;
        }

        var verb = words.Skip(1).FirstOrDefault(w => !w.StartsWith('-'));
        return verb is not null
            && (SdkVerbs.Contains(verb, StringComparer.OrdinalIgnoreCase) || verb.EndsWith(".cs", StringComparison.OrdinalIgnoreCase))
            ? Refused(
                $"'dotnet {verb}' starts the SDK, which runs the program as a child process",
                "run the built program: -- dotnet bin/Release/net10.0/App.dll, or its executable")
            : null;
    }

    public static UserErrorException DiagnosticsDisabled(string setting) => NoSession(
        $"the environment has {setting}, which disables diagnostics in the launched program", $"start without {setting.Split('=')[0]}");

    public static UserErrorException NotStarted(string name, Exception cause) => new(
        $"'{name}' could not be started: {cause.Message.TrimEnd('.')}", "try the same command without tpwatch", ExitCode.Arguments, cause);

    public static UserErrorException EndedEarly(string name, int exitCode, string? said) => NoSession(
        $"'{name}' ended with code {exitCode.ToString(CultureInfo.InvariantCulture)} before a .NET runtime had opened its diagnostic port",
        said is null ? HowToName + SocketFolder() : $"its output was: {said}");

    /// <param name="name">The command.</param>
    /// <param name="waited">How long tpwatch has waited.</param>
    /// <param name="child">A .NET program that the command has started; null if there is none.</param>
    public static UserErrorException NoRuntime(string name, TimeSpan waited, string? child) => child is null
        ? NoSession($"no .NET runtime started in '{name}' within {Format.Duration(waited.TotalMilliseconds)}; tpwatch ended it", HowToName)
        : NoSession($"'{name}' is not a .NET program but has started one, {child}; tpwatch ended both", HowToName);

    public static UserErrorException Refused(string sentence, string hint) => new(sentence, hint, ExitCode.Arguments);

    // A runtime that cannot create its socket runs without one and reports nothing.
    static string SocketFolder() => Environment.GetEnvironmentVariable("TMPDIR") is { Length: > 0 } folder
        ? $"; the program must also be able to create a socket in TMPDIR, {folder}" : "";

    const string HowToName = "the command must be the .NET program itself: -- dotnet App.dll, or its executable; a script must exec it";

    static UserErrorException NoSession(string sentence, string hint) => new(sentence, hint, ExitCode.NoSession);
}
