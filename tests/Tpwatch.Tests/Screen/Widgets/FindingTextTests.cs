using Tpwatch.Diagnosis;
using Tpwatch.Screen.State;
using Tpwatch.Screen.Views;

namespace Tpwatch.Tests.Screen.Widgets;

public sealed class FindingTextTests
{
    static readonly string How = $"items take long or hang. To find out, run {Waits.TakeStacks(Some.Found())}";

    [Theory]
    [InlineData(true, "To find out, press t when items wait again.")]
    [InlineData(false, "To find out, run dotnet tpwatch report -p 41822 --depth stacks.")]
    public void An_undecided_check_says_how_to_get_what_it_lacks(bool mayTakeStacks, string told)
    {
        var lines = Lines(How, mayTakeStacks);

        Assert.Contains("Why    Items take long or hang.", lines);
        Assert.Contains($"Do     {told}", lines);
    }

    [Fact]
    public void What_is_to_be_done_when_items_wait_again_says_so_once()
    {
        var over = Some.Found();
        Assert.True(Waits.IsOver(over));
        Assert.Equal(" To find the call, press t when items wait again.",
            FindingText.WithKeys(Waits.NamedBy(over), new Scene(over, new ViewState { MayTakeStacks = true })));
    }

    [Fact]
    public void One_that_does_not_know_how_sends_to_what_arrives() =>
        Assert.Contains("Do     Press i to see which data arrives.", Lines("the times of single items are not known", mayTakeStacks: true));

    static string[] Lines(string missing, bool mayTakeStacks) =>
    [
        .. FindingText.Of(
            new FindingRow("TPW009", null, missing), new Scene(Some.Found(), new ViewState { MayTakeStacks = mayTakeStacks }), 100)
            .Select(line => line.Text),
    ];
}
