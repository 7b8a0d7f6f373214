namespace Tpwatch.Benchmarks.Hostile;

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
        (await ground.RunAsync("report", "-p", Ground.Text(await ground.TargetAsync()), "--duration", "1s")).Is(0);
    }

    static async Task HeldAsync(Ground ground)
    {
        var left = Path.Combine(ground.Temporary, "tpwatch-burst-0123456789abcdef0123456789abcdef");
        Directory.CreateDirectory(left);
        using (new FileStream(Path.Combine(left, "held"), FileMode.Create, FileAccess.ReadWrite, FileShare.None))
        {
            (await ground.RunAsync("report", "-p", Ground.Text(await ground.TargetAsync()), "--duration", "1s")).Is(0);
            if (!Directory.Exists(left))
            {
                throw new HarmDoneException(Harm.WrongCode, "it is gone");
            }
        }

        Directory.Delete(left, recursive: true);
    }

    static async Task SocketAsync(Ground ground)
    {
        var first = ground.Start(Ground.Host, Ground.Tool, "report", "--dport", ground["p"] + ",listen", "--duration", "1s");
        for (var began = TimeProvider.System.GetTimestamp(); !File.Exists(ground["p"])
            && TimeProvider.System.GetElapsedTime(began) < Ground.Limit;)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(20));
        }

        await Ground.SignalAsync("KILL", first.Id);
        await Ground.EndAsync(first);
        foreach (var folder in Directory.GetDirectories(ground.Temporary, "tpwatch-port-*"))
        {
            Directory.SetLastWriteTimeUtc(folder, DateTime.UtcNow.AddHours(-1));
        }

        var second = ground.Start(Ground.Host, Ground.Tool, "report", "--dport", ground["p"] + ",listen", "--duration", "1s");
        await ground.TargetAsync("steady", ("DOTNET_DiagnosticPorts", ground["p"] + ",nosuspend"));
        (await Ground.EndAsync(second)).Is(0);
    }

    static async Task ChildAsync(Ground ground)
    {
        var tool = ground.Start(Ground.Host, Ground.Tool, "report", "--duration", "60s", "--", Ground.Host, Ground.Fixtures, "steady",
            "--seconds", "60");
        var child = await ChildOfAsync(tool.Id);
        await Task.Delay(TimeSpan.FromSeconds(3));
        await Ground.SignalAsync("KILL", tool.Id);
        for (var began = TimeProvider.System.GetTimestamp();
            Directory.Exists($"/proc/{Ground.Text(child)}"); await Task.Delay(TimeSpan.FromMilliseconds(50)))
        {
            if (TimeProvider.System.GetElapsedTime(began) > EndLimit)
            {
                await Ground.SignalAsync("KILL", child);
                throw new HarmDoneException(Harm.LeftBehind, "the command runs on");
            }
        }
    }

    static async Task<int> ChildOfAsync(int parent)
    {
        for (var began = TimeProvider.System.GetTimestamp(); TimeProvider.System.GetElapsedTime(began) < Ground.Limit;)
        {
            foreach (var child in Children.Of(parent).Where(IsDotnet))
            {
                return child;
            }

            await Task.Delay(TimeSpan.FromMilliseconds(50));
        }

        throw new HarmDoneException(Harm.Hung, "no command was started");
    }

    static bool IsDotnet(int pid)
    {
        try
        {
            return File.ReadAllText($"/proc/{Ground.Text(pid)}/cmdline").Contains("Tpwatch.Fixtures.dll", StringComparison.Ordinal);
        }
        catch (IOException)
        {
            return false;
        }
    }
}
