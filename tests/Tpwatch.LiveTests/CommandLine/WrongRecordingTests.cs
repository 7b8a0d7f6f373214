namespace Tpwatch.LiveTests.CommandLine;

/// <summary>Files that are no recordings, or half of one: code 2, a sentence, never a hang.</summary>
public sealed class WrongRecordingTests : IDisposable
{
    const int TestLimit = 90_000;
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-files-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory(Timeout = TestLimit)]
    [InlineData("replay", "empty")]
    [InlineData("replay", "random")]
    [InlineData("replay", "magic")]
    [InlineData("report", "empty")]
    [InlineData("report", "random")]
    [InlineData("report", "magic")]
    public async Task Broken_files_are_code_2(string verb, string kind)
    {
        var run = await ToolRun.Of(verb, File(kind));
        Assert.Equal(2, run.Code);
        Assert.StartsWith("tpwatch: ", run.Error, StringComparison.Ordinal);
        Assert.Contains("\n  ", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Of_a_truncated_recording_what_was_read_is_reported()
    {
        var whole = Path.Combine(folder.FullName, "whole.nettrace");
        await using (var fixture = await Fixture.StartAsync())
        {
            var pid = fixture.Pid.ToString(System.Globalization.CultureInfo.InvariantCulture);
            var recorded = await ToolRun.Of("record", "-p", pid, "-o", whole, "--duration", "3s");
            Assert.True(recorded.Code == 0, recorded.Error);
        }

        var bytes = await System.IO.File.ReadAllBytesAsync(whole, TestContext.Current.CancellationToken);
        var half = Path.Combine(folder.FullName, "half.nettrace");
        await System.IO.File.WriteAllBytesAsync(half, bytes[..(bytes.Length * 2 / 3)], TestContext.Current.CancellationToken);
        foreach (var verb in (string[])["replay", "report"])
        {
            var run = await ToolRun.Of(verb, half);
            Assert.True(run.Code == 2, $"{verb}: code {run.Code} instead of 2:\n{run.Error}");
            Assert.NotEmpty(run.Out);
            Assert.DoesNotContain("   at ", run.Error, StringComparison.Ordinal);
        }
    }

    string File(string kind)
    {
        var noise = new byte[5000];
        new Random(1).NextBytes(noise);
        var path = Path.Combine(folder.FullName, kind + ".nettrace");
        System.IO.File.WriteAllBytes(path, kind switch
        {
            "empty" => [],
            "magic" => [.. "Nettrace"u8, .. noise],
            _ => noise,
        });
        return path;
    }
}
