using System.Net.Sockets;

namespace Tpwatch.Benchmarks.Hostile;

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
            if (await File.ReadAllTextAsync(ground["p"]) != "mine")
            {
                throw new HarmDoneException(Harm.LeftBehind, "the file is another");
            }
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
        var pid = Ground.Text(await ground.TargetAsync("steady", ("TMPDIR", ground["own"])));
        var real = Directory.GetFiles(ground["own"], $"dotnet-diagnostic-{pid}-*-socket").Single();
        await Ground.EndAsync(ground.Start(makes, Path.Combine(ground.Temporary, Path.GetFileName(real))));
        (await ground.RunAsync("report", "-p", pid, "--duration", "1s")).Is(0);
    }
}
