using System.Globalization;
using Tpwatch.Load;

// The process whose price of being watched is measured; started by the benchmarks.
return args is [var kind, var chains] && kind is "load" or "idle-load" or "ticking-load"
    ? SaturatingLoad.Run(int.Parse(chains, CultureInfo.InvariantCulture), idle: kind == "idle-load", checks: kind == "ticking-load")
    : Usage();

static int Usage()
{
    Console.Error.WriteLine("usage: load|idle-load|ticking-load CHAINS");
    return 3;
}
