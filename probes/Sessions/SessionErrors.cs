using System.ComponentModel;
using System.Diagnostics;
using System.Net.Sockets;
using Microsoft.Diagnostics.NETCore.Client;
using Tpwatch.Targets;

namespace Tpwatch.Sessions;

/// <summary>Turns an exception of the client library at the start of a session into a sentence for the user.</summary>
static class SessionErrors
{
    /// <summary>Maximum number of sessions of a runtime, from .NET 5 on; a runtime refuses the 65th session.</summary>
    const int MostSessions = 64;

    /// <summary>
    /// Whether the exception is one that the library throws when the target refuses, cannot be reached or is gone; any other exception is a
    /// bug of tpwatch.
    /// </summary>
    public static bool IsForeseen(Exception e) => e
        is DiagnosticsClientException or TimeoutException or IOException or SocketException or UnauthorizedAccessException
        or PlatformNotSupportedException or ObjectDisposedException or OperationCanceledException or ArgumentException or FormatException;

    public static UserErrorException OfStart(Machine machine, Target target, Exception e) => e switch
    {
        _ when HasGone(machine, target) => No(
            $"Process {Called(target)} ended while tpwatch was attaching.",
            "`dotnet tpwatch ps` lists the processes that you can watch.", e),
        UnsupportedCommandException or UnsupportedProtocolException => new(
            $"The runtime of process {Called(target)} is too old to be watched.",
            "The process must run on .NET 6 or later.", ExitCode.Unsupported, e),
        PlatformNotSupportedException => new(
            $"Attaching to process {Called(target)} is not supported on this system: {e.Message}",
            "Run tpwatch on the system on which the process runs.", ExitCode.Unsupported, e),
        ServerErrorException => Refused(machine, target, e),
        OperationCanceledException or TimeoutException => NoAnswer(machine, target, e),
        _ when IsDenied(e) => No(
            $"The diagnostic socket of process {Called(target)} denied access.", "Run tpwatch as the target's user or as root.", e),
        _ when IsRefused(e) => No(
            $"Process {Called(target)} no longer listens at its diagnostic socket: "
                + "it runs another program now (exec), or has closed that socket.",
            "Restart the process: its runtime then opens the socket again.", e),
        _ => No(
            $"Could not open a session with process {Called(target)}: {e.Message.TrimEnd('.')}.",
            "Try again. If that fails too, the process is ending, or its diagnostic port is broken until it restarts.", e),
    };

    /// <summary>
    /// Whether the target's process is gone: its pid is free or belongs to another process, or only its exit status is left.
    /// </summary>
    public static bool HasGone(Machine machine, Target target) => target.IsElsewhere
        ? target.SocketPath is { } path && !DiagnosticPort.IsHeld(path)
        : machine.IsLinux
            ? machine.Tree.Stat(target.Pid) is not { HasEnded: false } stat || (target.StartTime is { } start && start != stat.StartTime)
            : HasGoneWithoutProc(target.Pid);

    // A runtime returns the same code when it is ending and when it has the maximum number of sessions; its thread names distinguish the
    // cases.
    static UserErrorException Refused(Machine machine, Target target, Exception e)
    {
        var sessions = machine.IsLinux && !target.IsElsewhere ? ThreadNames.Sessions(machine.Tree, target.Pid) : 0;
        return sessions >= MostSessions
            ? No($"Process {Called(target)} has {MostSessions} event sessions already, and its runtime allows no more.",
                "End other diagnostics tools (dotnet-trace, dotnet-counters, monitoring agents), or restart the process.", e)
            : No($"The runtime of process {Called(target)} refused the session: {e.Message.TrimEnd('.')}.",
                $"The process is ending, or it has {MostSessions} event sessions already. Wait, or end other diagnostics tools.", e);
    }

    static UserErrorException NoAnswer(Machine machine, Target target, Exception e)
    {
        var state = machine.IsLinux && !target.IsElsewhere ? machine.Tree.Stat(target.Pid)?.State : null;
        (var because, var hint) = WrongTarget.Standstill(state, target.Pid) ?? state switch
        {
            'D' => ("it hangs in the kernel (state D, usually waiting for a disk or a network file system)",
                "Check its disk or network file system; attach again when the process runs."),
            { } other => ($"its diagnostic port is stuck (process state {other})",
                "Another tool's session may block the port: end other diagnostics tools, "
                    + "or wait if the processors are overloaded. Then attach again."),
            null => ("it is stopped, in a debugger, or blocked by another tool's session", "Let the process continue, then attach again."),
        };
        return No($"Process {Called(target)} does not answer: {because}.", hint, e);
    }

    static bool HasGoneWithoutProc(int pid)
    {
        try
        {
            using var process = Process.GetProcessById(pid);
            return process.HasExited;
        }
        catch (ArgumentException)
        {
            return true;
        }
        catch (Exception e) when (e is InvalidOperationException or Win32Exception or NotSupportedException)
        {
            // The process exists, but does not allow more access.
            return false;
        }
    }

    static bool IsDenied(Exception? e) =>
        e is UnauthorizedAccessException or SocketException { SocketErrorCode: SocketError.AccessDenied }
        || (e?.InnerException is { } inner && IsDenied(inner));

    static bool IsRefused(Exception? e) =>
        e is SocketException { SocketErrorCode: SocketError.ConnectionRefused } || (e?.InnerException is { } inner && IsRefused(inner));

    static UserErrorException No(string sentence, string hint, Exception cause) => new(sentence, hint, ExitCode.NoSession, cause);

    static string Called(Target target) => $"{Id(target)} ({target.Name})";

    static string Id(Target target) => target.Pid.ToString(CultureInfo.InvariantCulture);
}
