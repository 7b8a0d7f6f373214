using System.Diagnostics;
using Tpwatch;
using Tpwatch.Assertions;

namespace Example.Starvation;

public sealed class OrderTests
{
    [Fact]
    public async Task Twenty_orders_at_once_wait_for_no_worker()
    {
        var report = await ThreadPoolWatch.ObserveAsync(Service(), TestContext.Current.CancellationToken);

        report.ShouldNotStarve();
    }

    [Fact]
    public async Task Orders_that_await_their_database_wait_for_no_worker()
    {
        var report = await ThreadPoolWatch.ObserveAsync(Service("--async"), TestContext.Current.CancellationToken);

        report.ShouldNotStarve().ShouldNotFind("TPW002", "TPW005");
        Assert.DoesNotContain(report.InjectionDelays, delay => delay.ObservedMs > 500);
    }

    // Two processors, whatever machine this runs on: the pool then begins with two workers.
    static ProcessStartInfo Service(params string[] arguments)
    {
        var assembly = Path.Combine(AppContext.BaseDirectory, "..", "..", "Example.Service",
            Path.GetFileName(AppContext.BaseDirectory.TrimEnd('/', '\\')), "Example.Service.dll");
        var start = new ProcessStartInfo(
            Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", [Path.GetFullPath(assembly), .. arguments]);
        start.Environment["DOTNET_PROCESSOR_COUNT"] = "2";
        return start;
    }
}
