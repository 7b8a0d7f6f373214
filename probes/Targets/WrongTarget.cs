namespace Tpwatch.Targets;

/// <summary>Errors for processes that cannot be watched: one sentence and one hint for each reason.</summary>
static class WrongTarget
{
    const string ListThem = "`dotnet tpwatch ps` lists the processes that you can watch.";

    // The text does not advise to become root: the user may already be root.
    const string NeedsPtrace = "That needs CAP_SYS_PTRACE, which root has, but not in most containers.";

    public static UserErrorException NoProcess(int pid, bool othersAreHidden) => No(
        $"There is no process {Id(pid)}.",
        othersAreHidden ? "/proc hides other users' processes here (hidepid): run as that user or as root. " + ListThem : ListThem);

    public static UserErrorException IsGone(int pid) => No($"Process {Id(pid)} has ended.", ListThem);

    public static UserErrorException IsAnother(int pid) => No(
        $"The process has ended, and another process now has its id {Id(pid)}.", ListThem);

    public static UserErrorException IsThread(int pid, int process) => No(
        $"{Id(pid)} is a thread of process {Id(process)}, not a process.", $"Use --pid {Id(process)}.");

    public static UserErrorException HasEnded(ProcessPortrait p) => No(
        $"Process {Called(p)} has ended; its parent has not read its exit status yet (zombie).", ListThem);

    public static UserErrorException IsSelf(int pid) => No(
        $"Process {Id(pid)} is this tpwatch, which cannot watch itself.", ListThem);

    public static UserErrorException NoName(string name) => No(
        $"No .NET process is called \"{name}\", and none has an entry assembly of that name.", ListThem);

    public static UserErrorException IsNotDotnet(ProcessPortrait p) => No(
        $"Process {Called(p)} is not a .NET process: it has no .NET runtime loaded and no diagnostic socket.",
        "If the process is a launcher or a shell, watch the program that it started: see `dotnet tpwatch ps`. "
            + "tpwatch can watch a NativeAOT program only if it was built with EventSourceSupport=true.");

    public static UserErrorException IsNativeAot(ProcessPortrait p) => No(
        $"Process {Called(p)} is a NativeAOT program without a diagnostic socket.",
        "Build the program with EventSourceSupport=true, then restart it.");

    public static UserErrorException DiagnosticsDisabled(ProcessPortrait p, string setting) => No(
        $"Diagnostics are disabled in process {Called(p)}: its environment has {setting}.",
        $"Restart the process without {setting.Split('=')[0]}; the runtime reads the variable only at start.");

    public static UserErrorException OtherUser(ProcessPortrait p, UserNames names, int owner, int self)
    {
        var name = names.Of(owner);
        var (spoken, forSudo) = names.IsNameless(owner) ? (name, $"'#{Id(owner)}'") : ($"user {name}", name);
        return No(
            $"Process {Called(p)} runs as {spoken}, but tpwatch runs as {names.Of(self)}. Only {spoken} or root can attach.",
            name == "root" ? "Run tpwatch as root (sudo)." : $"Run tpwatch as {name} (sudo -u {forSudo} ...) or as root.");
    }

    /// <summary>The error for a process whose state keeps its runtime from answering; null if the runtime can answer.</summary>
    public static UserErrorException? IsStopped(ProcessPortrait p) =>
        Standstill(p.Stat.State, p.Pid) is { } why ? No($"Process {Called(p)} does not answer: {why.Because}.", why.Hint) : null;

    /// <summary>Why a process in this state stands still, and a hint how to continue it; null for other states.</summary>
    public static (string Because, string Hint)? Standstill(char? state, int pid) => state switch
    {
        'T' => ("it is stopped (state T)", $"Continue the process (kill -CONT {Id(pid)}), then attach again."),
        't' => ("a debugger holds it (state t)", "Let the process continue or detach the debugger, then attach again."),
        _ => null,
    };

    /// <summary>The error for a runtime without a thread that serves the diagnostic socket.</summary>
    public static UserErrorException NeverListened(ProcessPortrait p) => No(
        $"The runtime of process {Called(p)} has no diagnostic socket: it could not create {p.Socket.Tried[0]}.",
        "If the process has only just started, try again. Otherwise restart the process with TMPDIR set to a folder that it may write to.");

    public static UserErrorException SocketMissing(ProcessPortrait p, string owner, bool rootDenied) => No(
        $"The diagnostic socket of process {Called(p)}, user {owner}, was not found. Tried: {string.Join(", ", p.Socket.Tried)}.",
        HowToFindSocket(p, rootDenied));

    static string HowToFindSocket(ProcessPortrait p, bool rootDenied)
    {
        if (p.Runtime.IsDotnet is null)
        {
            return $"tpwatch may not read /proc/{Id(p.Pid)}, so it is not known whether this is a .NET process. "
                + NeedsPtrace;
        }

        if (rootDenied)
        {
            return $"tpwatch may not read /proc/{Id(p.Pid)}/root. {NeedsPtrace} Or run tpwatch inside the target's container.";
        }

        if (p.Socket.Stale.Length > 0)
        {
            return $"An earlier process with the same id left {p.Socket.Stale[0]} behind. If the process has only just started, try again.";
        }

        return "If the process has only just started, try again. If the process is ending, its runtime has removed the socket. "
            + "Otherwise something, such as a cleanup of temporary files, has deleted the socket: restart the process.";
    }

    static UserErrorException No(string sentence, string hint) => new(sentence, hint, ExitCode.NoSession);

    static string Called(ProcessPortrait p) => $"{Id(p.Pid)} ({p.Name})";

    static string Id(int pid) => pid.ToString(CultureInfo.InvariantCulture);
}
