using Tpwatch.Core;
using Tpwatch.Events;

namespace Tpwatch.Tests.Events;

/// <summary>Values come as text, absolute, one event an instrument and tag set; a collection's end makes them a reading.</summary>
public sealed class MeterReadingTests
{
    readonly MeterReading reading = new();

    [Fact]
    public void The_first_reading_has_levels_but_nothing_that_needs_one_before()
    {
        Assert.Equal(new CountersRead(At(0), null, 9, 57, null, new(null, null)), Collect(0, 9, 57, 1200, 3.5, 0.5));
    }

    [Fact]
    public void The_second_reading_has_what_grew_and_the_interval()
    {
        Collect(0, 9, 57, 1200, 3.5, 0.5);

        var fact = Collect(1000, 10, 40, 1260, 3.75, 0.75)!.Value;

        Assert.Equal((1000.0, 10, 40L, 60L), (fact.IntervalMs!.Value, fact.Workers!.Value, fact.QueueLength!.Value, fact.Completed!.Value));
        Assert.Equal(0.5, fact.Cpu.Seconds!.Value, 9);
        Assert.Null(fact.Cpu.Share);
    }

    [Fact]
    public void A_collection_without_ours_is_no_reading()
    {
        reading.Take("dotnet.gc.collections", "", "7");
        reading.Take("dotnet.process.cpu.time", "cpu.mode=user", "1.5");

        Assert.Null(reading.Finish(At(0)));
    }

    [Fact]
    public void Processor_time_is_the_sum_of_its_modes_and_of_nothing_else()
    {
        Collect(0, 9, 0, 0, 1, 1);
        reading.Take("dotnet.process.cpu.time", "something=else", "99");

        Assert.Equal(1.0, Collect(1000, 9, 0, 0, 1.25, 1.75)!.Value.Cpu.Seconds!.Value, 9);
    }

    [Theory]
    [InlineData("")]
    [InlineData("NaN-ish")]
    [InlineData("1,5")]
    public void A_value_that_is_no_number_is_unknown_and_not_zero(string text)
    {
        reading.Take("dotnet.thread_pool.thread.count", "", text);
        reading.Take("dotnet.thread_pool.queue.length", "", "3");

        var fact = reading.Finish(At(0))!.Value;

        Assert.Null(fact.Workers);
        Assert.Equal(3, fact.QueueLength);
    }

    [Fact]
    public void A_counter_that_went_back_is_unknown()
    {
        Collect(0, 9, 0, 1200, 3, 0);

        var fact = Collect(1000, 9, 0, 5, 0.1, 0)!.Value;

        Assert.Null(fact.Completed);
        Assert.Null(fact.Cpu.Seconds);
        Assert.Equal(2, Collect(2000, 9, 0, 7, 0.2, 0)!.Value.Completed);
    }

    [Fact]
    public void What_grew_over_two_intervals_is_not_told_as_one()
    {
        Collect(0, 9, 0, 1000, 1, 0);
        reading.Take("dotnet.thread_pool.thread.count", "", "9");
        reading.Finish(At(1000));

        var fact = Collect(2000, 9, 0, 1200, 3, 0)!.Value;

        Assert.Equal(1000, fact.IntervalMs);
        Assert.Null(fact.Completed);
        Assert.Null(fact.Cpu.Seconds);
    }

    [Fact]
    public void A_collection_in_which_nothing_happened_counts_zero_completions()
    {
        Collect(0, 9, 0, 1000, 1, 0);

        Assert.Equal(0, Collect(1000, 9, 0, 1000, 1, 0)!.Value.Completed);
    }

    CountersRead? Collect(double ms, int threads, long queue, long items, double user, double system)
    {
        reading.Take("dotnet.thread_pool.thread.count", "", Text(threads));
        reading.Take("dotnet.thread_pool.queue.length", "", Text(queue));
        reading.Take("dotnet.thread_pool.work_item.count", "", Text(items));
        reading.Take("dotnet.process.cpu.time", "cpu.mode=user", Text(user));
        reading.Take("dotnet.process.cpu.time", "cpu.mode=system", Text(system));
        return reading.Finish(At(ms));
    }

    static string Text(double value) => value.ToString(System.Globalization.CultureInfo.InvariantCulture);

    static EventTime At(double ms) => new EventTime(9_000_000_000).PlusMs(ms);
}
