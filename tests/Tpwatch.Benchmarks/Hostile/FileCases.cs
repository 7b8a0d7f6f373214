using System.Diagnostics;

namespace Tpwatch.Benchmarks.Hostile;

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
        ("a header alone", [15], g => Written(g, File.ReadAllBytes(Ground.Recording("lock-convoy"))[..120])),
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
        if (!File.ReadAllBytes(recording).SequenceEqual(File.ReadAllBytes(Ground.Recording("Deep/lock-convoy"))))
        {
            throw new HarmDoneException(Harm.LeftBehind, "the recording is another");
        }
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
