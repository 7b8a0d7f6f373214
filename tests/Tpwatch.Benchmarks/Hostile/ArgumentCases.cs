namespace Tpwatch.Benchmarks.Hostile;

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
