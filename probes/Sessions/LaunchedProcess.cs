using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Reports;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>
/// A program that we started in order to observe it from its first instruction. Its runtime waits until a session is open; it ends when
/// this is disposed, and does not outlive us.
/// </summary>
sealed partial class LaunchedProcess : IAsyncDisposable
{
    const int SigTerm = 15;

    /// <summary>The socket is there within 20 ms on a quiet machine; a loaded one, with cold disks, takes a hundred times that.</summary>
    static readonly TimeSpan RuntimeLimit = TimeSpan.FromSeconds(10);

    static readonly TimeSpan LookAgain = TimeSpan.FromMilliseconds(5);

    /// <summary>As long as container hosts give a service to end.</summary>
    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    readonly Process process;
    readonly string name;
    readonly ChildOutput output;
    readonly SuspensionGuard guard;
    bool resumed;
    bool disposed;

    LaunchedProcess(Process process, string name, Stream? passOn, SuspensionGuard guard)
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

    /// <summary>Completes with its exit code when it has ended, by itself or by us; 128 + the number of the signal that ended it.</summary>
    public Task<int> Exit { get; }

    /// <summary>
    /// Starts a program. Streams that are redirected are read here and written to <paramref name="passOn"/> (null throws them away), a
    /// redirected input is empty. <see cref="ForeseenException"/> (exit code 3): no such program, or one that starts the real one as its
    /// child; (1) diagnostics are disabled for it.
    /// </summary>
    public static async Task<LaunchedProcess> StartAsync(ProcessStartInfo command, Stream? passOn = null)
    {
        string[] words = [command.FileName, .. command.ArgumentList];
        if (WrongCommand.WhyNot(words) is { } reason)
        {
            throw reason;
        }

        var start = SuspendedStart.Of(command);
        if (ProcEnvironment.Of(start.Environment.Select(v => $"{v.Key}={v.Value}")).WhatDisablesDiagnostics() is { } setting)
        {
            throw WrongCommand.DiagnosticsDisabled(setting);
        }

        var guard = SuspensionGuard.Start($"{SuspendedStart.Variable}={start.Environment[SuspendedStart.Variable]}");
        try
        {
            var process = Process.Start(start)!;
            guard.Watch(process.Id);
            return new LaunchedProcess(process, command.FileName, passOn, guard);
        }
        catch (Exception e)
        {
            await guard.DisposeAsync().ConfigureAwait(false);
            throw e is Win32Exception ? WrongCommand.NotStarted(command.FileName, e) : e;
        }
    }

    /// <summary>
    /// Opens a session and lets the program go on. <see cref="ForeseenException"/> (exit code 1): it has ended, or is no .NET program; it
    /// is then ended by whoever disposes this.
    /// </summary>
    internal async Task<LiveSession> OpenSessionAsync(Func<TargetFacts, SessionPlan> plan, CancellationToken cancel)
    {
        var target = await RuntimeAsync(Machine.Local, TimeProvider.System, cancel).ConfigureAwait(false);
        LiveSessionSetting setting = new() { Source = SessionSource.Launched, Resume = true };

        // What it starts itself inherits the variable, and nobody would resume that.
        setting = setting with { Environment = setting.Environment.Add(SuspendedStart.Variable, "0") };
        var session = await LiveSession.OpenAsync(setting, target, plan, cancel).ConfigureAwait(false);
        resumed = true;
        guard.Goes();
        return session;
    }

    /// <summary>Ends it: asks first, then kills it and what it has started. Takes 10 s at most.</summary>
    public async Task EndAsync()
    {
        // Suspended it would not hear the question.
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

    async Task<Target> RuntimeAsync(Machine machine, TimeProvider time, CancellationToken cancel)
    {
        var started = time.GetTimestamp();
        while (time.GetElapsedTime(started) < RuntimeLimit)
        {
            if (process.HasExited)
            {
                await output.EndAsync().ConfigureAwait(false);
                throw WrongCommand.EndedEarly(name, process.ExitCode, output.SaidFirst());
            }

            if (await LookAsync(machine, time, cancel).ConfigureAwait(false) is { } target)
            {
                return target;
            }

            if (Descendants.FirstDotnet(machine, Pid) is { } child)
            {
                throw WrongCommand.NoRuntime(name, RuntimeLimit, child);
            }

            await Task.Delay(LookAgain, time, cancel).ConfigureAwait(false);
        }

        throw WrongCommand.NoRuntime(name, RuntimeLimit, child: null);
    }

    // The file appears a moment before the runtime listens at it.
    async Task<Target?> LookAsync(Machine machine, TimeProvider time, CancellationToken cancel)
    {
        if (!machine.IsLinux)
        {
            return DiagnosticsClient.GetPublishedProcesses().Contains(Pid) ? new Target { Pid = Pid, Name = process.ProcessName } : null;
        }

        return ProcessPortrait.Of(machine, Pid) is { Socket.Path: { } path }
            && await new DiagnosticPort(path, time).ProcessInfoAsync(cancel).ConfigureAwait(false) is not null
            ? TargetFinder.ByPid(machine, Pid)
            : null;
    }

    async Task<int> ExitAsync()
    {
        await process.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        await guard.DisposeAsync().ConfigureAwait(false);
        return process.ExitCode;
    }

    // Told twice to stop, we leave at once, and it goes with us.
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
