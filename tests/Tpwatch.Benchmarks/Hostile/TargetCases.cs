using System.Diagnostics;

namespace Tpwatch.Benchmarks.Hostile;

/// <summary>
/// Targets that are frozen, die, or put another program in their place; signals to the tool at every phase; twenty watchers.
/// </summary>
static class TargetCases
{
    const string Dying = "frozen and dying targets";
    const string Signals = "signals at every phase";
    const string Many = "many at once";

    static readonly int[] Phases = [0, 150, 300, 450, 600, 900, 1300, 2000];

    public static IEnumerable<HostileCase> All() =>
    [
        .. from signal in (string[])["KILL", "STOP", "TERM"]
           from afterMs in (int[])[0, 300, 600, 1200]
           select new HostileCase(Dying, $"SIG{signal} to the target {afterMs} ms after the start", [],
               ground => TargetSignalAsync(ground, signal, afterMs)) { Fast = false },
        new(Dying, "a target stopped before", [16], StoppedBeforeAsync) { Fast = false },
        new(Dying, "ps --check beside a stopped target", [16], CheckAsync) { Fast = false },
        new(Dying, "a target that executes another program", [16], ExecAsync) { Fast = false },
        new(Dying, "not a .NET program", [], NotDotnetAsync),
        .. from signal in (string[])["INT", "TERM", "HUP", "QUIT", "KILL"]
           from afterMs in Phases
           select new HostileCase(Signals, $"SIG{signal} after {afterMs} ms", signal == "QUIT" ? [5] : [],
               ground => SignalAsync(ground, signal, afterMs)) { Fast = false },
        new(Many, "twenty watchers", [], TwentyAsync) { Fast = false },
    ];

    static async Task TargetSignalAsync(Ground ground, string signal, int afterMs)
    {
        var pid = await ground.TargetAsync();
        var run = ground.Start(Ground.Host, Ground.Tool, "report", "-p", Ground.Text(pid), "--duration", "3s");
        await Task.Delay(afterMs);
        await Ground.SignalAsync(signal, pid);
        (await Ground.EndAsync(run)).Is(signal == "STOP" ? [0, 1] : [0, 1]);
        await Ground.SignalAsync("CONT", pid);
        await OpenSessions.AreGoneAsync(pid);
    }

    static async Task StoppedBeforeAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        await Ground.SignalAsync("STOP", pid);
        (await ground.RunAsync("report", "-p", Ground.Text(pid), "--duration", "1s")).Is(1).Says("state T");
        await Ground.SignalAsync("CONT", pid);
        await OpenSessions.AreGoneAsync(pid);
    }

    static async Task CheckAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        await Ground.SignalAsync("STOP", pid);
        (await ground.RunAsync("ps", "--check", "1s", "--format", "json")).Is(0).Says("it is stopped");
        await Ground.SignalAsync("CONT", pid);
    }

    // A program in the place of another keeps the id and the start; the socket of the first is still there.
    static async Task ExecAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        var socket = Directory.GetFiles("/tmp", $"dotnet-diagnostic-{Ground.Text(pid)}-*-socket").Single();
        File.Move(socket, ground["s"]);
        await DeadSocketAsync(ground, socket);
        (await ground.RunAsync("report", "-p", Ground.Text(pid), "--duration", "1s")).Is(1)
            .Says("no longer listens").Undetected("broken until");
        File.Delete(socket);
    }

    static async Task DeadSocketAsync(Ground ground, string path)
    {
        var python = ground.Start(
            "python3", "-c", "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])", path);
        await Ground.EndAsync(python);
    }

    static async Task NotDotnetAsync(Ground ground)
    {
        var sleep = ground.Start("sleep", "60");
        (await Ground.HereAsync("report", "-p", Ground.Text(sleep.Id))).Is(1).Says("not a .NET process");
    }

    static async Task SignalAsync(Ground ground, string signal, int afterMs)
    {
        var pid = await ground.TargetAsync();
        var run = ground.Start(Ground.Host, Ground.Tool, "report", "-p", Ground.Text(pid), "--duration", "1s");
        await Task.Delay(afterMs);
        await Ground.SignalAsync(signal, run.Id);
        var end = await Ground.EndAsync(run);
        await OpenSessions.AreGoneAsync(pid);
        // Before the runtime has its handlers a signal ends it as any program.
        var number = signal switch { "INT" => 2, "TERM" => 15, "HUP" => 1, "QUIT" => 3, _ => 9 };
        end.Is(0, 1, 128 + number);
    }

    static async Task TwentyAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        Process[] all = [.. Enumerable.Range(0, 20)
            .Select(_ => ground.Start(Ground.Host, Ground.Tool, "report", "-p", Ground.Text(pid), "--duration", "3s"))];
        foreach (var one in all)
        {
            (await Ground.EndAsync(one)).Is(0);
        }

        await OpenSessions.AreGoneAsync(pid);
    }
}
