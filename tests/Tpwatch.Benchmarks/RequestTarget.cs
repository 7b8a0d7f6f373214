using System.Globalization;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace Tpwatch.Benchmarks;

/// <summary>The child of `requests`: a server with one endpoint that does nothing. Answers each line with the requests so far.</summary>
static class RequestTarget
{
    public const string Name = "request-target";

    public static async Task<int> RunAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0));
        await using var app = builder.Build();
        var served = 0L;
        app.MapGet("/orders/{id}", (int id) =>
        {
            Interlocked.Increment(ref served);
            return id > 0 ? Results.NoContent() : Results.NotFound();
        });
        await app.StartAsync();
        Console.WriteLine(new Uri(app.Urls.Single()).Port.ToString(CultureInfo.InvariantCulture));
        while (await Console.In.ReadLineAsync() is not null)
            Console.WriteLine(Interlocked.Read(ref served).ToString(CultureInfo.InvariantCulture));
        return 0;
    }
}
