using System.Text.Json;

namespace Tpwatch.Tests.Verbs;

public sealed class ProcessListTests
{
    [Fact]
    public async Task Ps_lists_what_one_can_attach_to_and_says_why_not_of_the_rest()
    {
        var engine = new FakeEngine();
        engine.Processes.Add(new(5, "Other", null, null, null, "it belongs to root"));
        var run = await CommandRun.Of(engine, "ps", "--format", "JSON");
        Assert.Equal(1, JsonDocument.Parse(run.Out).RootElement.GetProperty("processes").GetArrayLength());
        Assert.Equal("tpwatch: Cannot watch 5 (Other): it belongs to root.\n", run.Error);
    }
}
