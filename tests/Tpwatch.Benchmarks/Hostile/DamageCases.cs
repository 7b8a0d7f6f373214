using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Tpwatch.Benchmarks.Hostile;

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
            {
                Change(changed, random);
            }

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
        if (damaged > whole * MostCost)
        {
            throw new HarmDoneException(
                Harm.Hung, string.Create(CultureInfo.InvariantCulture, $"{damaged:0.00} s instead of {whole:0.00} s"));
        }
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
            run.Undetected("0001-01-01").Undetected("NaN");
            if (Negative.Match(run.Out) is { Success: true } found)
            {
                throw new HarmDoneException(Harm.WrongCode, $"a negative number: {found.Value}");
            }
        }
        catch (HarmDoneException e)
        {
            throw new HarmDoneException(e.Harm, $"{how}: {e.Message}");
        }

        if (Environment.WorkingSet - before > MostBytes)
        {
            throw new HarmDoneException(Harm.Crashed, $"{how}: {(Environment.WorkingSet - before) >> 20} MB");
        }
    }

    // A change may be one for the less.
    [GeneratedRegex(@"[^\n]*(?<!change:|by) -\d[^\n]*")]
    static partial Regex Negative { get; }
}
