using System.Text.Json;
using Tpwatch.Fixtures;
using Tpwatch.Fixtures.Truth;

namespace Tpwatch.Tests.Fixtures;

public sealed class TruthFileTests
{
    static readonly RunTruth Sample = SampleTruth.Of(9, (0, 1, 5, 7), (0.5, 2, null, 8), (0.75, null, null, 0));

    [Fact]
    public void What_is_written_is_read_again()
    {
        var read = TruthReader.Read(new StringReader(Written()));

        Assert.Equal(Sample.Items, read.Items);
        Assert.Equal(Sample.Hiccups, read.Hiccups);
        Assert.Equal(Sample.End, read.End);
        Assert.Equal(Sample.Header.Options, read.Header.Options);
        Assert.Equal(Sample.Header.SettingCalls, read.Header.SettingCalls);
        Assert.Equal(Sample.Header.Anchor, read.Header.Anchor);
        Assert.Equal(DateTimeKind.Utc, read.Header.Anchor.Utc.Kind);
        Assert.Equal((8, 8, 32_767), (read.Header.Processors, read.Header.MinWorkers, read.Header.MaxWorkers));
    }

    [Fact]
    public void Every_line_is_an_object_with_its_kind_header_first_and_end_last()
    {
        var kinds = Written().TrimEnd('\n').Split('\n')
            .Select(line => JsonDocument.Parse(line).RootElement.GetProperty("kind").GetString());

        Assert.Equal(["header", "item", "item", "item", "hiccup", "end"], kinds);
    }

    [Fact]
    public void What_was_noted_besides_items_is_read_again()
    {
        using var text = new StringWriter();
        TruthWriter.Write(Sample.Noting(("timer lateness", 12.5), ("counted", 11)), text);
        var read = TruthReader.Read(new StringReader(text.ToString()));

        Assert.Equal([12.5], read.Noted("timer lateness"));
        Assert.Equal(11, read.Last("counted"));
        Assert.Null(read.Last("nothing"));
    }

    [Fact]
    public void An_item_that_never_started_says_null_and_not_zero()
    {
        var line = JsonDocument.Parse(Written().Split('\n')[3]).RootElement;

        Assert.All(
            ["started", "ended", "managedThread", "osThread"], name => Assert.Equal(JsonValueKind.Null, line.GetProperty(name).ValueKind));
        Assert.Equal(5_000_750_000, line.GetProperty("enqueued").GetInt64());
    }

    [Fact]
    public void A_file_without_its_end_is_not_taken_for_a_whole_one()
    {
        var cut = Written()[..Written().LastIndexOf("{\"kind\":\"end\"", StringComparison.Ordinal)];

        Assert.Throws<InvalidDataException>(() => TruthReader.Read(new StringReader(cut)));
    }

    [Fact]
    public void A_file_that_cannot_be_created_is_refused_at_once()
    {
        var refused =
            Assert.Throws<RefusedException>(() => new TruthFile(Path.Combine(Path.GetTempPath(), Path.GetRandomFileName(), "truth")));

        Assert.Contains("cannot be written", refused.Message, StringComparison.Ordinal);
        Assert.NotEmpty(refused.Hint);
    }

    static string Written()
    {
        using var text = new StringWriter();
        TruthWriter.Write(Sample, text);
        return text.ToString();
    }
}
