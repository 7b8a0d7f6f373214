using Tpwatch.Core;
using Tpwatch.Recordings;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Verbs;

[System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
public sealed class OutputFileTests : IDisposable
{
    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData("report")]
    [InlineData("replay")]
    public async Task A_recording_and_its_side_car_are_never_written_over_by_whatever_name(string verb)
    {
        var recording = folder.Write("real/a.nettrace", "recorded");
        var sideCar = folder.Write("real/a.nettrace.json", "facts");
        File.CreateSymbolicLink(folder["file-link"], recording);
        Directory.CreateSymbolicLink(folder["folder-link"], folder["real"]);
        foreach (var output in (string[])[recording, sideCar, folder["file-link"],
            Path.Combine(folder["folder-link"], "a.nettrace"), folder["real/../real/a.nettrace"]])
        {
            var run = await CommandRun.Of(verb, recording, "-o", output);
            Assert.Equal(3, run.Code);
            Assert.Equal(("recorded", "facts"), (File.ReadAllText(recording), File.ReadAllText(sideCar)));
        }
    }

    [Theory]
    [InlineData("report")]
    [InlineData(null)]
    public async Task A_failed_attach_leaves_an_earlier_result_alone_and_nothing_beside_it(string? verb)
    {
        var engine = new FakeEngine { Refusal = new("no", "hint", ExitCode.NoSession) };
        var run = await CommandRun.Of(
            engine, [.. verb is null ? Array.Empty<string>() : [verb], "-p", "41822", "-o", folder.Write("old", "earlier")]);
        Assert.Equal(1, run.Code);
        Assert.Equal("earlier", File.ReadAllText(folder["old"]));
        Assert.Single(Directory.GetFiles(folder.Path));
    }

    [Theory]
    [InlineData("report")]
    [InlineData(null)]
    public async Task A_result_takes_the_place_of_the_earlier_one_and_is_private(string? verb)
    {
        var earlier = folder.Write("old", new string('x', 100_000));
        File.CreateSymbolicLink(folder["link"], earlier);
        var run = await CommandRun.Of([.. verb is null ? Array.Empty<string>() : [verb], "-p", "41822", "-o", folder["link"]]);
        Assert.Equal(0, run.Code);
        Assert.DoesNotContain("xxx", File.ReadAllText(earlier), StringComparison.Ordinal);
        Assert.Contains("STARVED for 25.9 s, over now", File.ReadAllText(earlier), StringComparison.Ordinal);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(earlier));
        Assert.Equal(2, Directory.GetFiles(folder.Path).Length);
    }

    [Theory]
    [InlineData("pool.html", "<!doctype html>")]
    [InlineData("pool.HTML", "<!doctype html>")]
    [InlineData("pool.json", "{\n  \"schema\": \"tpwatch-report/1\"")]
    [InlineData("pool.perfetto.json", "{\"displayTimeUnit\"")]
    [InlineData("pool.svg", "<svg")]
    [InlineData("pool.txt", "STARVED")]
    [InlineData("html", "STARVED")]
    [InlineData("pool.html --format text", "STARVED")]
    public async Task A_file_says_by_its_ending_what_it_is_to_be(string output, string begin)
    {
        var words = output.Split(' ');
        Assert.Equal(0, (await CommandRun.Of(["report", "-p", "41822", "-o", folder[words[0]], .. words[1..]])).Code);
        Assert.StartsWith(begin, File.ReadAllText(folder[words[0]]), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_device_is_written_directly_and_a_full_one_is_code_3()
    {
        Assert.Equal(3, (await CommandRun.Of("report", "-p", "41822", "-o", "/dev/full")).Code);
        Assert.Equal(0, (await CommandRun.Of("report", "-p", "41822", "-o", "/dev/null")).Code);
        Assert.Equal("/dev/null", Assert.Single(Directory.GetFiles("/dev", "null*")));
    }

    [Fact]
    public async Task A_recording_that_is_there_already_is_written_over_only_when_asked()
    {
        var file = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        await File.WriteAllTextAsync(file, "an incident", TestContext.Current.CancellationToken);
        try
        {
            var refused = await CommandRun.Of(new FakeEngine(), "record", "-p", "41822", "-o", file);
            Assert.Equal(3, refused.Code);
            Assert.Contains("--force", refused.Error, StringComparison.Ordinal);
            Assert.Equal("an incident", await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
            Assert.Equal(0, (await CommandRun.Of(new FakeEngine(), "record", "-p", "41822", "-o", file, "--force")).Code);
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData("run", "run.json", "basic")]
    [InlineData("run.nettrace", "run.nettrace.json", "basic")]
    [InlineData("run.1", "run.1.deep", "items")]
    [InlineData("run.nettrace", "run.deep.nettrace", "stacks")]
    public async Task What_lies_beside_a_recording_is_written_over_only_when_asked_too(string name, string side, string depth)
    {
        folder.Write(side, "somebody's settings");
        string[] record = ["record", "-p", "41822", "-o", folder[name], .. depth == "basic" ? Array.Empty<string>() : ["--depth", depth]];

        var refused = await CommandRun.Of(new FakeEngine(), record);

        Assert.Equal(3, refused.Code);
        Assert.Contains($"'{folder[side]}' exists already", refused.Error, StringComparison.Ordinal);
        Assert.Equal(0, (await CommandRun.Of(new FakeEngine(), [.. record, "--force"])).Code);
    }

    [Theory]
    [InlineData("run.1", "run.1.deep")]
    [InlineData("run.2", "run.2.deep")]
    [InlineData("run", "run.deep")]
    [InlineData("run.nettrace", "run.deep.nettrace")]
    [InlineData("run.NETTRACE", "run.deep.NETTRACE")]
    public void Two_recordings_never_share_a_second_stream(string recording, string second) =>
        Assert.Equal(second, SideStreamRecording.PathFor(recording));
}
