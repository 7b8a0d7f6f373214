using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace Tpwatch.Lab.Hostile;

/// <summary>What is given as a recording and is none, and outputs that cannot be written.</summary>
static class FileCases
{
    const string Group = "files that are none";

    static readonly string[] Verbs = ["report", "replay", "whatif"];

    static readonly (string Name, int[] Rows, Func<Ground, string> Make)[] Files =
    [
        ("nothing there", [], g => g["none"]),
        ("an empty file", [], g => Written(g, [])),
        ("one byte", [], g => Written(g, [0x4E])),
        ("the magic alone", [], g => Written(g, "Nettrace"u8.ToArray())),
        ("a header alone", [15], g => Written(g, File.ReadAllBytes(BuiltPrograms.Recording("lock-convoy"))[..120])),
        ("another magic", [], g => Written(g, "\x89PNG\r\n"u8.ToArray())),
        ("a side-car", [], g => g.Bring("lock-convoy") + ".json"),
        ("a folder", [], g => g.Temporary),
        ("/dev/null", [], _ => "/dev/null"),
        ("/dev/zero", [], _ => "/dev/zero"),
        ("/proc/self/mem", [14], _ => "/proc/self/mem"),
        ("a pipe without a writer", [13], Pipe),
        ("a link that leads nowhere", [], g => Linked(g, g["none"])),
        ("a link to itself", [], g => Linked(g, g["link"])),
        ("a name with escape sequences", [3], g => Renamed(g, "\e[2J\n::error::x")),
        ("a name of 4 000 characters", [], g => g[new string('n', 4000)]),
        ("no name", [], _ => ""),
    ];

    public static IEnumerable<HostileCase> All() =>
    [
        .. from verb in Verbs
           from file in Files
           select new HostileCase(Group, $"{verb}: {file.Name}", file.Rows, ground => RefusedAsync(ground, verb, file.Make)),
        new(Group, "report -o: a pipe that nobody reads", [13], ground => ToAsync(ground, Pipe, "a pipe without a reader")),
        new(Group, "report -o: a folder", [], ground => ToAsync(ground, g => g.Temporary, "Cannot create")),
        new(Group, "report -o: in a folder that is not there", [], ground => ToAsync(ground, g => g["no/such"], "Cannot create")),
        new(Group, "report -o: the recording", [7], ground => ToAsync(ground, g => g["a.nettrace"], "the recording itself")),
        new(Group, "report -o: its side-car", [7], ground => ToAsync(ground, g => g["a.nettrace.json"], "a file that belongs to it")),
        new(Group, "report -o: its items", [7], ground => ToAsync(ground, g => g["a.deep.nettrace"], "a file that belongs to it")),
        new(Group, "report -o: a full disk", [], ground => ToAsync(ground, _ => "/dev/full", "space")),
    ];

    static async Task RefusedAsync(Ground ground, string verb, Func<Ground, string> make)
    {
        string[] more = verb == "whatif" ? ["--min", "20"] : [];
        var run = await Ground.HereAsync([verb, make(ground), .. more]);
        run.Is(2, 3).Clean();
    }

    static async Task ToAsync(Ground ground, Func<Ground, string> to, string says)
    {
        var recording = ground.Bring("Deep/lock-convoy");
        (await Ground.HereAsync("report", recording, "-o", to(ground))).Is(3).Says(says);
        HarmDoneException.If(
            !File.ReadAllBytes(recording).SequenceEqual(File.ReadAllBytes(BuiltPrograms.Recording("Deep/lock-convoy"))),
            Harm.LeftBehind, "the recording is another");
    }

    static string Written(Ground ground, byte[] bytes)
    {
        File.WriteAllBytes(ground["file"], bytes);
        return ground["file"];
    }

    static string Linked(Ground ground, string to)
    {
        File.CreateSymbolicLink(ground["link"], to);
        return ground["link"];
    }

    static string Renamed(Ground ground, string name)
    {
        File.WriteAllText(ground[name.Replace('/', '_')], "x");
        return ground[name.Replace('/', '_')];
    }

    static string Pipe(Ground ground)
    {
        using var made = Process.Start("mkfifo", ground["pipe"]);
        made.WaitForExit();
        return ground["pipe"];
    }
}

/// <summary>Recordings cut and changed; seeded, with limits on time and memory.</summary>
static partial class DamageCases
{
    const string Cut = "files cut";
    const string Changed = "files changed";

    /// <summary>The two smallest, cut at every byte; in every test run at one of this many.</summary>
    const int Slices = 16;
    const int FastStep = 61;

    const int Seeds = 40;
    const int FastSeeds = 6;
    const int MostChanges = 12;

    /// <summary>A recording is read in less than 105 MB; what a changed byte may ask for beyond is bounded.</summary>
    const long MostBytes = 512L << 20;

    const string ManyFieldsEvent = "LogAppContextSwitch";

    /// <summary>Half as much was measured, and ten times as much where the array was given.</summary>
    const double MostCost = 3;

    static readonly string[] Whole = ["holdoff-table", "count-alone"];

    static readonly string[] Busy = ["lock-convoy", "sync-over-async", "pool-burst", "Deep/mixed-blocking"];

    /// <param name="each">Changed files a case; ten thousand in all are 250.</param>
    public static IEnumerable<HostileCase> All(int each) =>
    [
        .. from name in Whole
           from slice in Enumerable.Range(0, Slices)
           select new HostileCase(Cut, $"{name}, every byte, part {slice + 1} of {Slices}", [], ground => CutAsync(ground, name, slice, 1))
           { Fast = false },
        .. Whole.Select(name =>
            new HostileCase(Cut, $"{name}, every {FastStep}th byte", [], ground => CutAsync(ground, name, null, FastStep))),
        .. Busy.Select(name => new HostileCase(
            Cut, $"{name}, at thirty places", [], ground => CutAsync(ground, name, null, 0)) { Fast = name == "pool-burst" }),
        .. from seed in Enumerable.Range(0, Seeds)
           select new HostileCase(Changed, $"{Busy[seed % Busy.Length]}, seed {seed}, {(seed < FastSeeds ? "a few" : each)} times", [16],
               ground => ChangeAsync(ground, Busy[seed % Busy.Length], seed, seed < FastSeeds ? 8 : each)) { Fast = seed < FastSeeds },
        new(Changed, "an event of two billion fields costs no more than the whole file", [], ManyFieldsAsync),
    ];

    static async Task CutAsync(Ground ground, string name, int? slice, int step)
    {
        var file = ground.Bring(name);
        var bytes = await File.ReadAllBytesAsync(file);
        var (from, to) = slice is { } part ? (bytes.Length * part / Slices, bytes.Length * (part + 1) / Slices) : (0, bytes.Length);
        for (var at = from; at < to; at += step > 0 ? step : Math.Max(1, bytes.Length / 30))
        {
            await File.WriteAllBytesAsync(file, bytes[..at]);
            await ReadAsync(file, $"cut at {at}");
        }
    }

    static async Task ChangeAsync(Ground ground, string name, int seed, int times)
    {
        var file = ground.Bring(name);
        var bytes = await File.ReadAllBytesAsync(file);
        var random = new Random(seed);
        for (var time = 0; time < times; time++)
        {
            var changed = (byte[])bytes.Clone();
            for (var change = random.Next(1, MostChanges); change > 0; change--)
                Change(changed, random);
            await File.WriteAllBytesAsync(file, changed);
            await ReadAsync(file, $"change {time}");
        }
    }

    /// <summary>
    /// The library asks for an array as long as the stream says; what that costs is processor time, ten times the whole file's.
    /// </summary>
    static async Task ManyFieldsAsync(Ground ground)
    {
        var file = ground.Bring("lock-convoy");
        var whole = await CostAsync(ground, file, 0);
        var bytes = await File.ReadAllBytesAsync(file);
        var name = Encoding.Unicode.GetBytes(ManyFieldsEvent + "\0");
        // Behind the name come keywords, version and level, of 8, 4 and 4 bytes, then the number of fields.
        BitConverter.TryWriteBytes(bytes.AsSpan(bytes.AsSpan().IndexOf(name) + name.Length + 16), 2_000_000_000);
        await File.WriteAllBytesAsync(file, bytes);
        var damaged = await CostAsync(ground, file, 2);
        HarmDoneException.If(damaged > whole * MostCost, Harm.Hung, $"{damaged:0.00} s instead of {whole:0.00} s");
    }

    /// <summary>Seconds of processor time that a report takes.</summary>
    static async Task<double> CostAsync(Ground ground, string file, int code)
    {
        var run = (await ground.ShellAsync("T report \"$1\" >/dev/null; code=$?; times; exit $code", file)).Is(code);
        // The second line is of what the shell started: user's and system's, as 0m0.25s.
        return run.Out.Split('\n')[1].Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(t => t.TrimEnd('s').Split('m'))
            .Sum(t => (double.Parse(t[0], CultureInfo.InvariantCulture) * 60) + double.Parse(t[1], CultureInfo.InvariantCulture));
    }

    static void Change(byte[] bytes, Random random)
    {
        var at = random.Next(bytes.Length);
        switch (random.Next(4))
        {
            case 0:
                bytes[at] = (byte)random.Next(256);
                break;
            case 1:
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case 2:
                bytes.AsSpan(at, Math.Min(random.Next(64), bytes.Length - at)).Fill((byte)(random.Next(2) * 255));
                break;
            default:
                random.NextBytes(bytes.AsSpan(at, Math.Min(8, bytes.Length - at)));
                break;
        }
    }

    static async Task ReadAsync(string file, string how)
    {
        var before = Environment.WorkingSet;
        var run = await Ground.HereAsync("report", file, "--verbose");
        try
        {
            run.Is(0, 2).Clean();
            // A time, a count or a share that cannot be.
            run.Omits("0001-01-01").Omits("NaN");
            var negative = Negative.Match(run.Out);
            HarmDoneException.If(negative.Success, Harm.WrongCode, $"a negative number: {negative.Value}");
        }
        catch (HarmDoneException e)
        {
            throw new HarmDoneException(e.Harm, $"{how}: {e.Message}");
        }

        HarmDoneException.If(
            Environment.WorkingSet - before > MostBytes, Harm.Crashed, $"{how}: {(Environment.WorkingSet - before) >> 20} MB");
    }

    // A change may be one for the less.
    [GeneratedRegex(@"[^\n]*(?<!change:|by) -\d[^\n]*")]
    static partial Regex Negative { get; }
}

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
        File.Copy(BuiltPrograms.Recording("Deep/mixed-blocking.deep"), ground["a.deep.nettrace"], overwrite: true);
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

        (await Ground.HereAsync("record", "-p", $"{pid}", "-o", ground["x"], "--depth", "items", "--duration", "1s"))
            .Is(3).Says("exists already");
        if (File.ReadAllText(ground["precious"]) != "mine" || File.Exists(ground["nowhere"])
            || (there == "a file" && File.ReadAllText(ground[name]) != "mine"))
        {
            throw new HarmDoneException(Harm.LeftBehind, "written over or through a link");
        }
    }

    static async Task TwiceAsync(Ground ground)
    {
        string[] words = ["record", "-p", $"{await ground.TargetAsync()}", "-o", ground["same"], "--duration", "3s"];
        var (one, two) = (ground.StartTool(words), ground.StartTool(words));
        int[] codes = [(await Ground.EndAsync(one)).Code, (await Ground.EndAsync(two)).Code];
        HarmDoneException.If(!codes.Order().SequenceEqual([0, 3]), Harm.WrongCode, string.Join(" and ", codes));
        (await Ground.HereAsync("report", ground["same"])).Is(0);
    }

    static async Task NamesAsync(Ground ground)
    {
        var pid = $"{await ground.TargetAsync()}";
        string[] names = ["run.1", "run.2", "run", "run.nettrace"];
        foreach (var name in names)
            (await ground.RunAsync("record", "-p", pid, "-o", ground[name], "--depth", "items", "--duration", "1s")).Is(0);
        foreach (var name in names)
            (await Ground.HereAsync("report", ground[name], "--verbose")).Is(0)
                .Omits("belongs to another").Omits("is incomplete");
    }

    static async Task KilledAsync(Ground ground)
    {
        var pid = await ground.TargetAsync();
        var recorder = ground.StartTool("record", "-p", $"{pid}", "-o", ground["x"]);
        await OpenSessions.IsOpenAsync(pid);
        await Task.Delay(TimeSpan.FromSeconds(1));
        await Ground.SignalAsync("KILL", pid);
        (await Ground.EndAsync(recorder)).Is(0);
        (await Ground.HereAsync("report", ground["x"], "--verbose")).Is(0).Says("The process was killed");
    }
}

/// <summary>Side-cars that lie.</summary>
static class SideCarCases
{
    const string Group = "side-cars that lie";
    const string Real = "Deep/lock-convoy";
    const int RandomLies = 6;
    const int LiesEach = 4;

    static readonly (string Name, int[] Rows, Action<JsonNode> Tell)[] Lies =
    [
        ("max 1", [12], told => Limit(told, "maxWorkers", 1)),
        ("max 0", [12], told => Limit(told, "maxWorkers", 0)),
        ("max −5", [12], told => Limit(told, "maxWorkers", -5)),
        ("min 40 000", [12], told => Limit(told, "minWorkers", 40_000)),
        ("no processors", [12], told => Limit(told, "processors", 0)),
        ("remarks of nothing", [12], told => told["remarks"] = new JsonArray((JsonNode?)null)),
        ("a lock of nothing", [12], told => told["bursts"] = JsonNode.Parse(
            """{ "frames": [null], "taken": [null, { "atNs": 1, "ms": 2, "stacks": [null], "locks": [null] }] }""")),
        ("a name that begins a line", [3], told => told["target"]!["name"] = "x\n::error::y\e[2J"),
        ("a setting's name with escapes", [3], told => told["target"]!["settings"] = new JsonArray(
            JsonNode.Parse("""{ "name": "X\n::error::y", "value": "\u001b[2J", "source": "environment" }"""))),
        ("frames with escapes", [3], told => told["bursts"] = JsonNode.Parse(
            """{ "frames": ["A.\u001b[2J"], "taken": [{ "atNs": 1, "ms": 2, "stacks": [{ "frames": [0], "threadId": 1 }] }] }""")),
        ("items of another recording", [2], told => told["deepId"] = "1-2"),
        ("a clock that never steps", [], told => told["clock"] = JsonNode.Parse(
            """[{ "atNs": 9223372036854775807, "stepMs": 1e308, "gridMs": -1, "edgeMs": 1e308, "regime": "busy" }]""")),
        ("nested a thousand deep", [], told => told["process"] = Nested(60)),
    ];

    public static IEnumerable<HostileCase> All() =>
    [
        .. Lies.Select(lie => new HostileCase(Group, lie.Name, lie.Rows, ground => ToldAsync(ground, lie.Tell))),
        .. Enumerable.Range(0, RandomLies)
            .Select(seed => new HostileCase(Group, $"random, seed {seed}", [12], ground => RandomAsync(ground, seed))),
        new(Group, "a pipe", [12], ground => InsteadAsync(ground, "mkfifo", ground["a.nettrace.json"])),
        new(Group, "a link to /dev/zero", [12], ground => InsteadAsync(ground, "ln", "-s", "/dev/zero", ground["a.nettrace.json"])),
        new(Group, "a folder", [], ground => InsteadAsync(ground, "mkdir", ground["a.nettrace.json"])),
        new(Group, "a link to itself", [], ground => InsteadAsync(ground, "ln", "-s", "a.nettrace.json", ground["a.nettrace.json"])),
        new(Group, "32 MB of brackets", [], async ground =>
        {
            var file = ground.Bring(Real);
            await File.WriteAllTextAsync(file + ".json", new string('[', 32 << 20));
            await ReportAsync(file);
        }),
    ];

    static JsonNode? Nested(int depth) => depth == 0 ? JsonValue.Create(1) : new JsonArray(Nested(depth - 1));

    static void Limit(JsonNode told, string field, int value) =>
        told["target"]![field] = new JsonObject { ["value"] = value, ["source"] = "environment" };

    static async Task ToldAsync(Ground ground, Action<JsonNode> tell)
    {
        var file = ground.Bring(Real);
        var told = JsonNode.Parse(await File.ReadAllTextAsync(file + ".json"))!;
        tell(told);
        await File.WriteAllTextAsync(file + ".json", told.ToJsonString());
        await ReportAsync(file);
    }

    static async Task RandomAsync(Ground ground, int seed)
    {
        var file = ground.Bring(Real);
        var text = await File.ReadAllTextAsync(file + ".json");
        var random = new Random(seed);
        for (var lie = 0; lie < LiesEach; lie++)
        {
            var letters = text.ToCharArray();
            for (var change = random.Next(1, 6); change > 0; change--)
                letters[random.Next(letters.Length)] = "0123456789-\"[]{},:nulltrue\u001b"[random.Next(27)];
            await File.WriteAllTextAsync(file + ".json", new string(letters));
            await ReportAsync(file);
        }
    }

    static async Task InsteadAsync(Ground ground, string program, params string[] words)
    {
        var file = ground.Bring(Real);
        File.Delete(file + ".json");
        using var made = Process.Start(program, words);
        await made.WaitForExitAsync();
        await ReportAsync(file);
    }

    static async Task ReportAsync(string file)
    {
        foreach (var format in (string[])["text", "json", "github"])
            (await Ground.HereAsync("report", file, "--format", format)).Is(0).Clean();
    }
}
