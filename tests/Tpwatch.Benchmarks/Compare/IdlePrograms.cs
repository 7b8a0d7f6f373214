namespace Tpwatch.Benchmarks.Compare;

/// <summary>Some .NET processes that do nothing.</summary>
sealed class IdlePrograms : IAsyncDisposable
{
    readonly List<LoadProcess> programs = [];

    public static async Task<IdlePrograms> StartAsync(int count)
    {
        var all = new IdlePrograms();
        try
        {
            while (all.programs.Count < count)
                all.programs.Add(await LoadProcess.StartAsync(chains: 0, LoadProcess.Idle));
            return all;
        }
        catch
        {
            await all.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var program in programs)
            await program.DisposeAsync();
    }
}
