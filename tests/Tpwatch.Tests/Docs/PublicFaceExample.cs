namespace Tpwatch.Tests.Docs;

/// <summary>The example of probes/README.md, between the two marks; it is compiled as a stranger's program as well.</summary>
static class PublicFaceExample
{
    // <example>
    /// <summary>Puts load on a service and says what its pool did meanwhile.</summary>
    public static async Task<string> ObserveAsync(int pid, Func<CancellationToken, Task> load, CancellationToken cancel)
    {
        await using var watch = await ThreadPoolWatch.AttachAsync(pid, cancel);
        await load(cancel);
        await watch.StopAsync(cancel);
        var report = watch.Report();
        var longest = report.InjectionDelays.Max(delay => delay.ObservedMs) ?? 0;
        return $"{report.Verdict}: {report.Headline} Longest wait for a worker: {longest:0} ms.";
    }
    // </example>
}
