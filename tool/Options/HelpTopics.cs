using Tpwatch.Screen.State;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>An explanation too long for <c>--help</c>, printed by <c>help TOPIC</c> and contained in <c>docs/cli.md</c>.</summary>
/// <param name="Name">Name of an option without its dashes, or of a command.</param>
/// <param name="Texts">The paragraphs of the explanation, with their labels.</param>
sealed record HelpTopic(string Name, ImmutableArray<LabelledText> Texts)
{
    /// <summary>All topics, sorted by name.</summary>
    public static ImmutableArray<HelpTopic> All { get; } =
    [
        new("depth",
        [
            new(null, "--depth says what to measure. To combine several, write --depth stacks,requests. "
                + "The default is auto for report and ps, otherwise basic."),
            new("basic", "The pool's own events. Any cost was smaller than the scatter of the measurement."),
            new("auto", "basic, and inside once items have waited, hung or blocked on tasks for 2 s. "
                + "With auto, report of one process reads its memory once in any case. "
                + "If tpwatch cannot read the memory, it takes stacks instead. "
                + "The stacks show the blocking call. tpwatch takes at most three bursts of stacks. "
                + "With up to " + DepthPrice.BurstThreads + " threads, each burst pauses the process for about " + DepthPrice.BurstMs
                + " ms in total. With hundreds of threads, the pause is hardly longer. tpwatch does not pause a process that looks "
                + "healthy. If tpwatch cannot tell whether threads hang, it takes one burst at once. Without --duration, --depth and "
                + "--fail-on, report measures the requests of an ASP.NET Core server from the start."),
            new("items", "How long each item waited and ran, at two events per item. "
                + "A process saturated with " + DepthPrice.ItemsPerSecond + " items a second keeps " + DepthPrice.ItemsShare
                + " of its throughput. On .NET 8, such a process keeps " + DepthPrice.ItemsWithStacksShare
                + ". If items come too fast, tpwatch stops measuring them."),
            new("requests", "How long the requests of an ASP.NET Core server take, by route, and which routes hold worker threads. "
                + "This depth costs two events per request. It is part of auto and stacks for 20 s from the first burst on. "
                + "At full load, a server kept about " + DepthPrice.RequestsShare + " of its throughput, within the scatter of the "
                + "measurement. tpwatch never reads query strings or headers. A recording with --depth requests always holds full paths."),
            new("stacks", "Two bursts of stacks at the start, and more while items wait, at most one burst in 5 s."),
            new("inside", "tpwatch reads the memory of the process without a pause, as often as stacks takes bursts. It shows which items "
                + "wait in the queue, what blocked threads wait for, MinThreads and MaxThreads. --no-inside forbids it."),
        ]),
        new("dport",
        [
            new(null, "--dport PATH watches the process behind a diagnostic port. "
                + "Without a mode, tpwatch connects if the socket exists, and otherwise listens."),
            new("connect", "PATH is the runtime's own socket."),
            new("listen", "tpwatch waits at PATH for a process started with DOTNET_DiagnosticPorts=PATH,nosuspend. "
                + "Without nosuspend, the process waits at its start until tpwatch resumes it."),
            new("--wait", "After the process has ended, tpwatch continues with the next process that connects to the port."),
            new("serve", "serve listens only, and watches all processes that connect. To watch other processes too, add -n or -p."),
        ]),
        new("fail-on",
        [
            new(null, "--fail-on LIST sets exit code 10 if a condition is met, and 12 if the capture cannot tell. "
                + "Separate conditions with commas."),
            new("starvation", "The pool was STARVED, STARVED AT MAX, SILENTLY STARVED, WEDGED or HELD at any time."),
            new("any", "There is any finding, even a note."),
            new("warning", "There is a finding of at least that level. The other level is serious."),
            new("TPW005", "There is a finding with that id. 'dotnet tpwatch rules' lists them."),
            new("limits", "'gap>600ms', 'starved>1s', 'backlog>100', 'queue-delay-p99>50ms'. "
                + "Write the quotes: the shell treats > as a redirection."),
            new("worse", "For compare only: the second capture is worse."),
        ]),
        new("policy",
        [
            new(null, "whatif --policy simulates the same work items on another thread pool. The default is that of the process."),
            new("portable", ".NET 6 and later."),
            new("native", ".NET Framework 4 to .NET 5."),
            new("clr35", ".NET Framework 3.5."),
            new("clr11", ".NET Framework 1.1."),
            new("rotor", "Shared Source CLI."),
        ]),
    ];

    /// <summary>Returns the explanation in lines of the given width; ends with a line break.</summary>
    public string Text(int width) => string.Join('\n', TextLayout.Lines(Texts, width)) + "\n";
}
