using Tpwatch.Reports;
using Tpwatch.Screen;
using Tpwatch.Screen.Commands;
using Tpwatch.Wording;

namespace Tpwatch.Tests.Screen.Widgets;

public sealed class FindingTextTests
{
    [Theory]
    [InlineData(true, "To find out, press t when items wait again.")]
    [InlineData(false, "To find out, run dotnet tpwatch report -p 41822 --depth stacks when items wait again.")]
    public void An_undecided_check_says_how_to_get_what_it_lacks(bool mayTakeStacks, string told)
    {
        var lines = Lines("items take long or hang", Hints.OrFindOut(Some.Found()), mayTakeStacks);

        Assert.Contains("Why    Items take long or hang.", lines);
        Assert.Contains($"Do     {told}", lines);
    }

    [Fact]
    public void What_is_to_be_done_when_items_wait_again_says_so_once()
    {
        var over = Some.Found();
        Assert.True(Hints.IsOver(over));
        Assert.Equal(" To find the call, press t when items wait again.", Hints.NamedBy(over).Key);
    }

    [Fact]
    public void One_that_does_not_know_how_sends_to_what_arrives() => Assert.Contains(
        "Do     Press i to see which data arrives.",
        Lines("the times of single items are not known", MissingDataHint.None, mayTakeStacks: true));

    static string[] Lines(string missing, MissingDataHint how, bool mayTakeStacks) =>
    [
        .. FindingText.Of(
            new FindingRow("TPW009", null, new("TPW009", missing + how.Command, MissingKind.Stacks) { How = how }),
            new Scene(Some.Found(), new ViewState { MayTakeStacks = mayTakeStacks }), 100)
            .Select(line => line.Text),
    ];
}
