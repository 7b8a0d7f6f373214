namespace Tpwatch.Benchmarks.Hostile;

/// <summary>What lies beside a recording, is cut, is somebody else's, or is there already.</summary>
static class PartCases
{
    const string Group = "files beside a recording";

    public static IEnumerable<HostileCase> All() =>
    [
        new(Group, "items of another process", [2], OtherItemsAsync),
        .. ((double[])[0.1, 0.5, 0.9, 0.999]).Select(share =>
            new HostileCase(Group, $"items cut at {share:0.0##}", [9], ground => CutItemsAsync(ground, share))),
        .. from name in (string[])["x", "x.json", "x.deep"]
           from there in (string[])["a file", "an empty file", "a link", "a link that leads nowhere", "a folder"]
           select new HostileCase(
               Group, $"record -o x beside {name}: {there}", [6], ground => ThereAsync(ground, name, there)) { Fast = false },
        new(Group, "record -o same, twice at once", [8], TwiceAsync) { Fast = false },
        new(Group, "record -o run.1 and -o run.2 with items", [2], NamesAsync) { Fast = false },
        new(Group, "record of a target that is killed", [16], KilledAsync) { Fast = false },
    ];

    static async Task OtherItemsAsync(Ground ground)
    {
        var file = ground.Bring("Deep/lock-convoy");
        File.Copy(Ground.Recording("Deep/mixed-blocking.deep"), ground["a.deep.nettrace"], overwrite: true);
        (await Ground.HereAsync("report", file, "--verbose")).Is(0).Says("belongs to another recording");
    }

    static async Task CutItemsAsync(Ground ground, double share)
    {
        var file = ground.Bring("Deep/lock-convoy");
        var bytes = await File.ReadAllBytesAsync(ground["a.deep.nettrace"]);
        await File.WriteAllBytesAsync(ground["a.deep.nettrace"], bytes[..(int)(bytes.Length * share)]);
        (await Ground.HereAsync("report", file, "--verbose")).Is(0).Says("is incomplete or damaged");
    }

    static async Task ThereAsync(Ground ground, string name, string there)
    {
        var pid = await ground.TargetAsync();
        File.WriteAllText(ground["precious"], "mine");
        switch (there)
        {
            case "a folder":
                Directory.CreateDirectory(ground[name]);
                break;
            case "a link" or "a link that leads nowhere":
                File.CreateSymbolicLink(ground[name], ground[there == "a link" ? "precious" : "nowhere"]);
                break;
            default:
                File.WriteAllText(ground[name], there == "a file" ? "mine" : "");
                break;
        }

        (await Ground.HereAsync("record", "-p", Ground.Text(pid), "-o", ground["x"], "--depth", "items", "--duration", "1s"))
            .Is(3).Says("exists already");
        if (File.ReadAllText(ground["precious"]) != "mine" || File.Exists(ground["nowhere"])
            || (there == "a file" && File.ReadAllText(ground[name]) != "mine"))
        {
            throw new HarmDoneException(Harm.LeftBehind, "written over or through a link");
        }
    }

    static async Task TwiceAsync(Ground ground)
    {
        var pid = Ground.Text(await ground.TargetAsync());
        string[] words = [Ground.Tool, "record", "-p", pid, "-o", ground["same"], "--duration", "3s"];
        var (one, two) = (ground.Start(Ground.Host, words), ground.Start(Ground.Host, words));
        int[] codes = [(await Ground.EndAsync(one)).Code, (await Ground.EndAsync(two)).Code];
        if (!codes.Order().SequenceEqual([0, 3]))
        {
            throw new HarmDoneException(Harm.WrongCode, string.Join(" and ", codes));
        }

        (await Ground.HereAsync("report", ground["same"])).Is(0);
    }

    static async Task NamesAsync(Ground ground)
    {
        var pid = Ground.Text(await ground.TargetAsync());
        foreach (var name in (string[])["run.1", "run.2", "run", "run.nettrace"])
        {
            (await ground.RunAsync("record", "-p", pid, "-o", ground[name], "--depth", "items", "--duration", "1s")).Is(0);
        }

        foreach (var name in (string[])["run.1", "run.2", "run", "run.nettrace"])
        {
            (await Ground.HereAsync("report", ground[name], "--verbose")).Is(0).Undetected("belongs to another")
                .Undetected("is incomplete");
        }
    }

    static async Task KilledAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        var recorder = ground.Start(Ground.Host, Ground.Tool, "record", "-p", Ground.Text(pid), "-o", ground["x"]);
        await OpenSessions.IsOpenAsync(pid);
        await Task.Delay(TimeSpan.FromSeconds(1));
        await Ground.SignalAsync("KILL", pid);
        (await Ground.EndAsync(recorder)).Is(0);
        (await Ground.HereAsync("report", ground["x"], "--verbose")).Is(0).Says("The process was killed");
    }
}
