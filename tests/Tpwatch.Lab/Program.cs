using Tpwatch.Core;
using Tpwatch.Lab;
using Tpwatch.Lab.Compare;
using Tpwatch.Lab.Fleet;
using Tpwatch.Lab.FullRuns;
using Tpwatch.Lab.Growth;
using Tpwatch.Lab.Hostile;
using Tpwatch.Lab.Pictures;
using Tpwatch.Lab.Recording;
using Tpwatch.Lab.Remedies;
using Tpwatch.Lab.Scores;
using Tpwatch.Lab.Screen;
using Tpwatch.Lab.Wild;

// Each prints what it measures beside its goals, where it has some, and ends with 1 when one is missed.
var benchmarks = new Dictionary<string, Func<string[], Task<int>>>
{
    ["latency"] = Latency.RunAsync,
    ["price"] = Price.RunAsync,
    ["inside"] = InsidePrice.RunAsync,
    ["requests"] = RequestPrice.RunAsync,
    ["recordings"] = StoredRecordings.RunAsync,
    ["scores"] = Scores.RunAsync,
    ["screen"] = ScreenBudgets.RunAsync,
    ["pictures"] = PicturesCommand.RunAsync,
    ["fullrun"] = FullRunCommand.RunAsync,
    ["compare"] = CompareCommand.RunAsync,
    ["growth"] = GrowthCommand.RunAsync,
    ["artifacts"] = Artifacts.RunAsync,
    ["hostile"] = HostileCommand.RunAsync,
    ["remedies"] = RemediesCommand.RunAsync,
    ["kinds"] = KindsCommand.RunAsync,
    ["wild"] = WildCommand.RunAsync,
    ["fleet"] = FleetCommand.RunAsync,
};

if (args is [LargePass.Name, var pass, var recording])
    return await LargePass.RunAsync(pass, recording);
if (args is [RequestTarget.Name])
    return await RequestTarget.RunAsync();
if (args is not [var name, .. var rest] || !benchmarks.TryGetValue(name, out var run))
{
    Console.Error.WriteLine($"usage: <benchmark> [arguments]; benchmarks: {string.Join(", ", benchmarks.Keys)}");
    return 3;
}

try
{
    return await run(rest);
}
catch (UserErrorException e)
{
    Console.Error.WriteLine($"{e.Message} {e.Hint}");
    return (int)e.ExitCode;
}
