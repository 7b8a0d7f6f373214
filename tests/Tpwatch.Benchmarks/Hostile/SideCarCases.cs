using System.Diagnostics;
using System.Text.Json.Nodes;

namespace Tpwatch.Benchmarks.Hostile;

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
            {
                letters[random.Next(letters.Length)] = "0123456789-\"[]{},:nulltrue\u001b"[random.Next(27)];
            }

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
        {
            (await Ground.HereAsync("report", file, "--format", format)).Is(0).Clean();
        }
    }
}
