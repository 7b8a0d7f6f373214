using Tpwatch.Benchmarks;

// Each prints ratios and bytes; none fails on milliseconds, since they belong to the machine it runs on.
var benchmarks = new Dictionary<string, Func<string[], int>>
{
    ["startup"] = StartUp.Run,
};

if (args is [var name, .. var rest] && benchmarks.TryGetValue(name, out var run))
    return run(rest);
Console.Error.WriteLine($"usage: <benchmark> [arguments]; benchmarks: {string.Join(", ", benchmarks.Keys)}");
return 3;
