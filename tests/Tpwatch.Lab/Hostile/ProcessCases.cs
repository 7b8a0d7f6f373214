using System.Diagnostics;
using System.Net.Sockets;
using Tpwatch.LiveTests.Terminal;

namespace Tpwatch.Lab.Hostile;

/// <summary>Process ids and names that are none.</summary>
static class ArgumentCases
{
    const string Group = "pids and names";

    static readonly string[] Pids = ["0", "-1", "1", "2147483647", "4294967296", "99999999999999999999", "x", "1e3", "0x10", " ", "\e[2J"];

    static readonly string[] Names = ["\e[2Jx", "a\n::error::x", "", "..", "/", new('n', 100_000), "\u202ex", "%s%n", "*"];

    public static IEnumerable<HostileCase> All() =>
    [
        .. from verb in (string[])["report", "record"]
           from pid in Pids
           select new HostileCase(Group, $"{verb} -p {Shown(pid)}", pid.Contains('\e', StringComparison.Ordinal) ? [3] : [],
               async ground => (await Ground.HereAsync(verb, "-p", pid, "-o", ground["out"])).Is(1, 3).Clean()),
        .. Names.Select(name => new HostileCase(Group, $"report -n {Shown(name)}", [3],
            async _ => (await Ground.HereAsync("report", "-n", name)).Is(1, 3).Clean())),
    ];

    /// <summary>A name as a table can hold it.</summary>
    public static string Shown(string name) => name.Length > 30
        ? $"{name[..3]}… ({name.Length} characters)"
        : $"'{string.Concat(name.Select(c => c < ' ' || c > '~' ? $"\\u{(int)c:x4}" : $"{c}"))}'";
}

/// <summary>Diagnostic ports that say nothing, too much or nonsense; what lies where the target's socket should.</summary>
static class SocketCases
{
    const string Lying = "sockets that lie";

    static readonly (string Name, Func<Socket, Task> Answer)[] Answers =
    [
        ("says nothing", _ => Task.Delay(Ground.Limit)),
        ("closes at once", _ => Task.CompletedTask),
        ("sends nonsense", s => SendAsync(s, [.. Enumerable.Range(0, 4096).Select(i => (byte)(i * 7))], once: true)),
        ("sends half a header", s => SendAsync(s, "DOTNET_IPC_V1\0\x14"u8.ToArray(), once: true)),
        ("sends without end", s => SendAsync(s, new byte[1 << 16], once: false)),
        ("answers with a length of 65 535 and nothing", s => SendAsync(s, [.. "DOTNET_IPC_V1\0"u8, 0xFF, 0xFF, 0xFF, 0, 0, 0], once: true)),
    ];

    public static IEnumerable<HostileCase> All() =>
    [
        .. Answers.Select(answer => new HostileCase(Lying, $"a port that {answer.Name}", [], ground => PortAsync(ground, answer.Answer))
        { Fast = answer.Name is "closes at once" or "sends nonsense" or "sends half a header" }),
        .. ((string[])["touch", "mkfifo", "mkdir"]).Select(makes =>
            new HostileCase(Lying, $"{makes} in our folder under the name of its socket", [11], ground => DecoyAsync(ground, makes))
            { Fast = false }),
        new(Lying, "a name of a port with escape sequences", [3],
            async ground => (await Ground.HereAsync("report", "--dport", ground["\e[2J\n::error::x"] + ",connect")).Is(1, 3).Clean()),
        new(Lying, "a port where a file is", [], async ground =>
        {
            await File.WriteAllTextAsync(ground["p"], "mine");
            (await Ground.HereAsync("report", "--dport", ground["p"])).Is(1, 3);
            HarmDoneException.If(await File.ReadAllTextAsync(ground["p"]) != "mine", Harm.LeftBehind, "the file is another");
        }),
    ];

    static async Task PortAsync(Ground ground, Func<Socket, Task> answer)
    {
        using Socket listener = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(ground["s"]));
        listener.Listen();
        using var end = new CancellationTokenSource();
        var serving = ServeAsync(listener, answer, end.Token);
        (await Ground.HereAsync("report", "--dport", ground["s"] + ",connect", "--duration", "1s")).Is(1, 2).Clean();
        await end.CancelAsync();
        await serving;
    }

    static async Task ServeAsync(Socket listener, Func<Socket, Task> answer, CancellationToken end)
    {
        List<Task> answers = [];
        while (!end.IsCancellationRequested)
        {
            try
            {
                var connection = await listener.AcceptAsync(end);
                answers.Add(AnswerAsync(connection, answer, end));
            }
            catch (OperationCanceledException)
            {
                break;
            }
        }

        await Task.WhenAll(answers);
    }

    static async Task AnswerAsync(Socket connection, Func<Socket, Task> answer, CancellationToken end)
    {
        using var mine = connection;
        await Task.WhenAny(answer(connection), Task.Delay(Timeout.Infinite, end));
    }

    static async Task SendAsync(Socket to, byte[] bytes, bool once)
    {
        try
        {
            do
            {
                await to.SendAsync(bytes);
            }
            while (!once);
            await to.ReceiveAsync(new byte[1]);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The other side has had enough.
        }
    }

    static async Task DecoyAsync(Ground ground, string makes)
    {
        Directory.CreateDirectory(ground["own"]);
        var pid = await ground.TargetAsync("steady", ("TMPDIR", ground["own"]));
        var real = Directory.GetFiles(ground["own"], $"dotnet-diagnostic-{pid}-*-socket").Single();
        await Ground.EndAsync(ground.Start(makes, Path.Combine(ground.Temporary, Path.GetFileName(real))));
        (await ground.RunAsync("report", "-p", $"{pid}", "--duration", "1s")).Is(0);
    }
}

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
        var run = ground.StartTool("report", "-p", $"{pid}", "--duration", "3s");
        await Task.Delay(afterMs);
        await Ground.SignalAsync(signal, pid);
        (await Ground.EndAsync(run)).Is(0, 1);
        await Ground.SignalAsync("CONT", pid);
        await OpenSessions.AreGoneAsync(pid);
    }

    static async Task StoppedBeforeAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        await Ground.SignalAsync("STOP", pid);
        (await ground.RunAsync("report", "-p", $"{pid}", "--duration", "1s")).Is(1).Says("state T");
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
        var socket = Directory.GetFiles("/tmp", $"dotnet-diagnostic-{pid}-*-socket").Single();
        File.Move(socket, ground["s"]);
        await Ground.EndAsync(ground.Start(
            "python3", "-c", "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])", socket));
        (await ground.RunAsync("report", "-p", $"{pid}", "--duration", "1s")).Is(1)
            .Says("no longer listens").Omits("broken until");
        File.Delete(socket);
    }

    static async Task NotDotnetAsync(Ground ground)
    {
        var sleep = ground.Start("sleep", "60");
        (await Ground.HereAsync("report", "-p", $"{sleep.Id}")).Is(1).Says("not a .NET process");
    }

    static async Task SignalAsync(Ground ground, string signal, int afterMs)
    {
        var pid = await ground.TargetAsync();
        var run = ground.StartTool("report", "-p", $"{pid}", "--duration", "1s");
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
            .Select(_ => ground.StartTool("report", "-p", $"{pid}", "--duration", "3s"))];
        foreach (var one in all)
            (await Ground.EndAsync(one)).Is(0);
        await OpenSessions.AreGoneAsync(pid);
    }
}

/// <summary>Standard streams that are closed, full or not read, few files, full disks.</summary>
static class DescriptorCases
{
    const string Closed = "closed descriptors";
    const string Full = "full disks";
    const string Few = "few files";
    const string Unread = "outputs that nobody reads";

    static readonly TimeSpan Settled = TimeSpan.FromSeconds(1);

    public static IEnumerable<HostileCase> All() =>
    [
        .. from closed in (string[])["2>&-", "1>&-", "0<&-", "0<&- 1>&- 2>&-"]
           from verb in (string[])["--version", "ps", "report \"$1\" -o \"$2\"", "report -p 2000000000"]
           select new HostileCase(Closed, $"{verb} {closed}", closed.Contains("2>", StringComparison.Ordinal) ? [4] : [],
               async ground => (await ground.ShellAsync($"T {verb} {closed}", ground.Bring("pool-burst"), ground["out"]))
                   .Is(verb.Contains("2000000000", StringComparison.Ordinal) ? [1, 3] : [0, 3]))
           { Fast = verb is not "ps" && closed.StartsWith('2') },
        .. ((string[])["ps", "rules", "report \"$1\"", "report \"$1\" --format json", "replay \"$1\" --speed max"]).Select(verb =>
            new HostileCase(Full, $"{verb} >/dev/full", [],
                async ground =>
                    (await ground.ShellAsync($"T {verb} >/dev/full", ground.Bring("pool-burst"))).Is(3)) { Fast = verb == "rules" }),
        new(Full, "report 2>/dev/full", [4],
            async ground => (await ground.ShellAsync("T report \"$1\" 2>/dev/full", ground.Bring("pool-burst"))).Is(0)) { Fast = false },
        .. ((string[])["report", "report --format json", "--plain", "record"]).Select(verb =>
            new HostileCase(
                Full, $"{verb} --depth stacks, 256 kB for temporary files", [1], ground => SmallAsync(ground, verb)) { Fast = false }),
        new(Full, "-- COMMAND, a temporary folder that is not there", [16], async ground => (await ground.ShellAsync(
            "TMPDIR=/nonexistent T report --duration 2s -- \"$1\" \"$2\" steady --seconds 1", BuiltPrograms.Host, BuiltPrograms.Fixtures))
            .Is(1).Says("TMPDIR, /nonexistent")),
        new(Full, "record onto 64 kB", [18], RecordSmallAsync) { Fast = false },
        .. ((int[])[16, 40, 64, 80, 100, 128]).Select(most => new HostileCase(Few, $"ulimit -n {most}", [17],
            ground => FewAsync(ground, most)) { Fast = most == 64 }),
        .. ((string[])["", "report", "record"]).Select(verb => new HostileCase(
            Unread, $"SIGINT to '{verb} -p' in front of a full pipe", [10], ground => UnreadAsync(ground, verb)) { Fast = false }),
        new(Unread, "a reader that goes after one line", [],
            async ground =>
                (await ground.ShellAsync("T replay \"$1\" --speed max | head -1", ground.Bring("pool-burst"))).Is(0)) { Fast = false },
    ];

    static async Task SmallAsync(Ground ground, string verb)
    {
        var pid = $"{await ground.TargetAsync("sync-over-async")}";
        var more = verb == "record" ? $"-o '{ground["x"]}'" : "";
        var run = await ground.ShellAsync(
            "mount -t tmpfs -o size=256k none \"$TMPDIR\" || exit 99; T " + verb + " -p $1 --depth stacks --duration 6s " + more
                + "; code=$?; ls -A \"$TMPDIR\" | grep tpwatch && code=98; umount \"$TMPDIR\"; exit $code", pid);
        if (run.Code != 99)
            run.Is(0).Says("could not write a burst of stacks");
    }

    static async Task RecordSmallAsync(Ground ground)
    {
        var pid = $"{await ground.TargetAsync("sync-over-async")}";
        var run = await ground.ShellAsync(
            "mount -t tmpfs -o size=64k none \"$TMPDIR\" || exit 99; head -c 65536 /dev/zero >\"$TMPDIR/full\"; "
                + "T record -p $1 -o \"$TMPDIR/x\" --duration 3s; code=$?; ls \"$TMPDIR\" | grep x && "
                + "code=98; umount \"$TMPDIR\"; exit $code", pid);
        if (run.Code != 99)
            run.Is(3).Says("No space left");
    }

    static async Task FewAsync(Ground ground, int most)
    {
        var run = await ground.ShellAsync($"ulimit -n {most}; T report \"$1\"", ground.Bring("pool-burst"));
        // With the fewest the .NET host itself cannot load its libraries, and says so.
        HarmDoneException.If(
            most < 40 && (run.Code == 0 || run.Error.Length == 0), Harm.WrongCode, $"code {run.Code}: {run.Error}");
        if (most >= 40)
            run.Is(most < 128 ? 1 : 0);
    }

    static async Task UnreadAsync(Ground ground, string verb)
    {
        var pid = await ground.TargetAsync();
        string[] words =
        [
            "-c", "(head -c 65536 /dev/zero; exec \"$@\" 2>&1) | sleep 100", "sh", BuiltPrograms.Host, BuiltPrograms.Tool,
            .. verb.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-p", $"{pid}", "-o", ground["x"],
        ];
        var shell = ground.Start("/bin/sh", words);
        await OpenSessions.IsOpenAsync(pid);
        await Task.Delay(Settled);
        foreach (var child in Children.Of(shell.Id))
            await Ground.SignalAsync("INT", child);
        await OpenSessions.AreGoneAsync(pid);
    }
}

/// <summary>Terminals that are absurd or vanish.</summary>
static class TerminalCases
{
    const string Group = "terminals";
    const string Leaves = "\e[?1049l";
    const string ShowsCursor = "\e[?25h";

    static readonly (int Width, int Height)[] Sizes = [(1, 1), (2, 2), (10, 3), (80, 1), (1, 50), (1000, 300), (0, 0)];

    static readonly string?[] Names = ["", "nonsense", "vt52", "dumb", "xterm\e[2J", null];

    public static IEnumerable<HostileCase> All() =>
    [
        .. Sizes.Select(size => new HostileCase(Group, $"replay on {size.Width}x{size.Height}", [], ground => QuitAsync(ground, size))
        { Fast = size is (1, 1) or (0, 0) }),
        .. Names.Select(name => new HostileCase(Group, $"replay with TERM {(name is null ? "unset" : ArgumentCases.Shown(name))}", [],
            ground => QuitAsync(ground, (80, 24), name)) { Fast = false }),
        .. ((string[])["INT", "TERM", "HUP", "QUIT"]).Select(signal => new HostileCase(Group, $"SIG{signal} to a replay", [5],
            ground => SignalledAsync(ground, signal)) { Fast = signal == "QUIT" }),
        .. ((string[])["--version", "ps", "rules"]).Select(verb => new HostileCase(Group, $"{verb} switches nothing", [19],
            ground => SwitchesNothingAsync(ground, verb)) { Fast = verb == "--version" }),
        new(Group, "a terminal that vanishes", [], VanishAsync) { Fast = false },
        new(Group, "resized two hundred times", [], ResizeAsync) { Fast = false },
    ];

    static OwnTerminal Replay(Ground ground, (int Width, int Height) size, string? term = "xterm-256color") =>
        OwnTerminal.Start(size,
            ["env", Ground.DefaultSignals, BuiltPrograms.Host, BuiltPrograms.Tool, "replay", ground.Bring("pool-burst")], ("TERM", term));

    static async Task<OwnTerminal> ReplayShownAsync(Ground ground)
    {
        var terminal = Replay(ground, (80, 24));
        await terminal.WaitAsync(t => t.Contains("REPLAY", StringComparison.Ordinal), Ground.Limit);
        return terminal;
    }

    // Where there is no screen, lines come, and the replay ends by itself.
    static async Task QuitAsync(Ground ground, (int Width, int Height) size, string? term = "xterm-256color")
    {
        await using var terminal = Replay(ground, size, term);
        await terminal.WaitAsync(t => t.Length > 0, TimeSpan.FromSeconds(20));
        await Task.Delay(TimeSpan.FromMilliseconds(500));
        await terminal.TypeAsync("q");
        await EndsAsync(terminal, 0);
    }

    static async Task SignalledAsync(Ground ground, string signal)
    {
        await using var terminal = await ReplayShownAsync(ground);
        await Ground.SignalAsync(signal, terminal.Pid);
        await EndsAsync(terminal, 0);
        HarmDoneException.If(
            !terminal.Text.Contains(Leaves, StringComparison.Ordinal) || !terminal.Text.Contains(ShowsCursor, StringComparison.Ordinal),
            Harm.LeftBehind, "the alternate screen");
    }

    static async Task SwitchesNothingAsync(Ground ground, string verb)
    {
        await using var terminal = OwnTerminal.Start((100, 30), [BuiltPrograms.Host, BuiltPrograms.Tool, verb]);
        await EndsAsync(terminal, 0);
        HarmDoneException.If(terminal.Text.Contains('\e', StringComparison.Ordinal), Harm.LeftBehind, "a mode of the terminal");
    }

    static async Task VanishAsync(Ground ground)
    {
        await using var terminal = await ReplayShownAsync(ground);
        terminal.HangUp();
        await EndsAsync(terminal, 0, 3);
    }

    static async Task ResizeAsync(Ground ground)
    {
        await using var terminal = await ReplayShownAsync(ground);
        var random = new Random(7);
        for (var time = 0; time < 200; time++)
        {
            terminal.Resize(random.Next(1, 400), random.Next(1, 120));
            await Task.Delay(TimeSpan.FromMilliseconds(5));
        }

        await terminal.TypeAsync("q");
        await EndsAsync(terminal, 0);
    }

    static async Task EndsAsync(OwnTerminal terminal, params int[] codes)
    {
        var code = await terminal.ExitAsync(Ground.Limit);
        HarmDoneException.If(code is null, Harm.Hung, "still there");
        new ToolResult(code!.Value, "", terminal.Text).Is(codes);
    }
}

/// <summary>What a tool leaves that is killed, and what the next one finds.</summary>
static class LeftoverCases
{
    const string Group = "what a killed tool leaves";

    static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(10);

    public static IEnumerable<HostileCase> All() =>
    [
        new(Group, "a folder of a burst is swept by the next", [18], SweptAsync) { Fast = false },
        new(Group, "a folder of a burst under way is not", [18], HeldAsync) { Fast = false },
        new(Group, "a socket that nobody listens at is taken over", [18], SocketAsync) { Fast = false },
        new(Group, "a command ends with its parent", [18], ChildAsync) { Fast = false },
    ];

    static async Task SweptAsync(Ground ground)
    {
        var left = Path.Combine(ground.Temporary, "tpwatch-burst-0123456789abcdef0123456789abcdef");
        Directory.CreateDirectory(left);
        await File.WriteAllTextAsync(Path.Combine(left, "burst.nettrace"), "x");
        (await ground.RunAsync("report", "-p", $"{await ground.TargetAsync()}", "--duration", "1s")).Is(0);
    }

    static async Task HeldAsync(Ground ground)
    {
        var left = Path.Combine(ground.Temporary, "tpwatch-burst-0123456789abcdef0123456789abcdef");
        Directory.CreateDirectory(left);
        using (new FileStream(Path.Combine(left, "held"), FileMode.Create, FileAccess.ReadWrite, FileShare.None))
        {
            (await ground.RunAsync("report", "-p", $"{await ground.TargetAsync()}", "--duration", "1s")).Is(0);
            HarmDoneException.If(!Directory.Exists(left), Harm.WrongCode, "it is gone");
        }

        Directory.Delete(left, recursive: true);
    }

    static async Task SocketAsync(Ground ground)
    {
        var first = ground.StartTool("report", "--dport", ground["p"] + ",listen", "--duration", "1s");
        await Ground.BecomesAsync(() => File.Exists(ground["p"]), Ground.Limit);
        await Ground.SignalAsync("KILL", first.Id);
        await Ground.EndAsync(first);
        foreach (var folder in Directory.GetDirectories(ground.Temporary, "tpwatch-port-*"))
            Directory.SetLastWriteTimeUtc(folder, DateTime.UtcNow.AddHours(-1));
        var second = ground.StartTool("report", "--dport", ground["p"] + ",listen", "--duration", "1s");
        await ground.TargetAsync("steady", ("DOTNET_DiagnosticPorts", ground["p"] + ",nosuspend"));
        (await Ground.EndAsync(second)).Is(0);
    }

    static async Task ChildAsync(Ground ground)
    {
        var tool = ground.StartTool("report", "--duration", "60s",
            "--", BuiltPrograms.Host, BuiltPrograms.Fixtures, "steady", "--seconds", "60");
        HarmDoneException.If(
            !await Ground.BecomesAsync(() => Commands(tool.Id).Any(), Ground.Limit), Harm.Hung, "no command was started");
        var child = Commands(tool.Id).First();
        await Task.Delay(TimeSpan.FromSeconds(3));
        await Ground.SignalAsync("KILL", tool.Id);
        if (!await Ground.BecomesAsync(() => !Directory.Exists($"/proc/{child}"), EndLimit))
        {
            await Ground.SignalAsync("KILL", child);
            throw new HarmDoneException(Harm.LeftBehind, "the command runs on");
        }
    }

    static IEnumerable<int> Commands(int parent) => Children.Of(parent).Where(
        pid => OpenSessions.Read($"/proc/{pid}/cmdline").Contains("Tpwatch.Fixtures.dll", StringComparison.Ordinal));
}
