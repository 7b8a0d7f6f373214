using Tpwatch.Lab;

namespace Tpwatch.Tests.Measuring;

/// <summary>Figures of a quiet machine are not made on a busy one.</summary>
public sealed class QuietMachineTests
{
    [Theory]
    [InlineData("1.40 9.00 9.00 3/200 4711", 2)]
    [InlineData("0.00 0.00 0.00 1/90 1", 1)]
    [InlineData("11.2 0.10 0.10 1/90 1", 16)]
    [InlineData("", 2)]
    public void Up_to_seven_tenths_a_processor_it_is_quiet(string averages, int processors) =>
        Assert.Null(QuietMachine.Refusal(averages, processors));

    [Theory]
    [InlineData("1.41 0.00 0.00 3/200 4711", 2)]
    [InlineData("0.71 0.00 0.00 1/90 1", 1)]
    public void Above_it_is_refused_with_a_hint(string averages, int processors)
    {
        var refusal = QuietMachine.Refusal(averages, processors);
        Assert.NotNull(refusal);
        Assert.Equal(3, (int)refusal.ExitCode);
        Assert.StartsWith($"The machine is not quiet: its load of the last minute is {averages.Split(' ')[0]}",
            refusal.Message, StringComparison.Ordinal);
        Assert.NotEmpty(refusal.Hint);
    }
}
