using System.Globalization;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Tpwatch.Benchmarks.Soak;

/// <summary>
/// The child of `soak`: a server that answers, and whose pool starves for some seconds each minute. It keeps nothing of what it has
/// done, so that its own memory may be asked for.
/// </summary>
static class SoakTarget
{
    public const string Name = "soak-target";

    /// <summary>Items that block at once, and for how long.</summary>
    const int Items = 30;

    static readonly TimeSpan Blocks = TimeSpan.FromSeconds(1);

    /// <summary>Starves once in so many seconds. Runs until its standard input ends, which it does with its parent.</summary>
    public static async Task<int> RunAsync(string[] args)
    {
        var every = TimeSpan.FromSeconds(int.Parse(args[0], CultureInfo.InvariantCulture));
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        app.MapGet("/orders/{id}", (int id) => id > 0 ? Results.NoContent() : Results.NotFound());
        await app.StartAsync();
        Console.WriteLine(new Uri(app.Urls.Single()).Port.ToString(CultureInfo.InvariantCulture));
        using var timer = new Timer(_ => Starve(), null, every / 2, every);
        while (await Console.In.ReadLineAsync() is not null)
        {
        }

        return 0;
    }

    static void Starve()
    {
        for (var item = 0; item < Items; item++)
            ThreadPool.QueueUserWorkItem(_ => Thread.Sleep(Blocks));
    }
}
