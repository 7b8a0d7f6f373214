namespace Tpwatch.Benchmarks.Hostile;

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
            "TMPDIR=/nonexistent T report --duration 2s -- \"$1\" \"$2\" steady --seconds 1", Ground.Host, Ground.Fixtures))
            .Is(1).Says("TMPDIR, /nonexistent")),
        new(Full, "record onto 64 kB", [18], RecordSmallAsync) { Fast = false },
        .. ((int[])[16, 40, 64, 80, 100, 128]).Select(most => new HostileCase(Few, $"ulimit -n {most}", [17],
            ground => FewAsync(ground, most)) { Fast = most == 64 }),
        .. ((string[])["", "report",
            "record"]).Select(verb => new HostileCase(Unread, $"SIGINT to '{verb} -p' in front of a full pipe", [10],
                ground => UnreadAsync(ground, verb)) { Fast = false }),
        new(Unread, "a reader that goes after one line", [],
            async ground =>
                (await ground.ShellAsync("T replay \"$1\" --speed max | head -1", ground.Bring("pool-burst"))).Is(0)) { Fast = false },
    ];

    static async Task SmallAsync(Ground ground, string verb)
    {
        var pid = Ground.Text(await ground.TargetAsync("sync-over-async"));
        var more = verb == "record" ? $"-o '{ground["x"]}'" : "";
        var run = await ground.ShellAsync(
            "mount -t tmpfs -o size=256k none \"$TMPDIR\" || exit 99; T " + verb + " -p $1 --depth stacks --duration 6s " + more
                + "; code=$?; ls -A \"$TMPDIR\" | grep tpwatch && code=98; umount \"$TMPDIR\"; exit $code", pid);
        if (run.Code == 99)
        {
            return;
        }

        run.Is(0).Says("could not write a burst of stacks");
    }

    static async Task RecordSmallAsync(Ground ground)
    {
        var pid = Ground.Text(await ground.TargetAsync("sync-over-async"));
        var run = await ground.ShellAsync(
            "mount -t tmpfs -o size=64k none \"$TMPDIR\" || exit 99; head -c 65536 /dev/zero >\"$TMPDIR/full\"; "
                + "T record -p $1 -o \"$TMPDIR/x\" --duration 3s; code=$?; ls \"$TMPDIR\" | grep x && "
                + "code=98; umount \"$TMPDIR\"; exit $code", pid);
        if (run.Code != 99)
        {
            run.Is(3).Says("No space left");
        }
    }

    static async Task FewAsync(Ground ground, int most)
    {
        var run = await ground.ShellAsync($"ulimit -n {most}; T report \"$1\"", ground.Bring("pool-burst"));
        if (most < 40)
        {
            // The .NET host itself cannot load its libraries then, and says so.
            if (run.Code == 0 || run.Error.Length == 0)
            {
                throw new HarmDoneException(Harm.WrongCode, $"code {run.Code}: {run.Error}");
            }

            return;
        }

        run.Is(most < 128 ? 1 : 0);
    }

    static async Task UnreadAsync(Ground ground, string verb)
    {
        var pid = await ground.TargetAsync();
        string[] words =
        [
            "-c", "(head -c 65536 /dev/zero; exec \"$@\" 2>&1) | sleep 100", "sh", Ground.Host, Ground.Tool,
            .. verb.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-p", Ground.Text(pid), "-o", ground["x"],
        ];
        var shell = ground.Start("/bin/sh", words);
        await OpenSessions.IsOpenAsync(pid);
        await Task.Delay(Settled);
        foreach (var child in Children.Of(shell.Id))
        {
            await Ground.SignalAsync("INT", child);
        }

        await OpenSessions.AreGoneAsync(pid);
    }
}
