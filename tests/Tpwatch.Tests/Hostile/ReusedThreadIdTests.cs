using System.Buffers.Binary;
using Microsoft.Diagnostics.Tracing;
using Tpwatch.Reports;
using Tpwatch.Tests.Attach.Targets;
using Tpwatch.Tests.Replay;

namespace Tpwatch.Tests.Hostile;

/// <summary>
/// A real recording in which new threads were given the ids of ended ones: the library takes that for a loss, and it is none.
/// </summary>
public sealed class ReusedThreadIdTests : IDisposable
{
    const string Name = "reused-ids.net10";

    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public async Task A_reused_id_is_no_loss()
    {
        var file = await TestRecordings.UnpackAsync(Name, folder);
        Assert.NotEqual(0, LostByTheLibrary(file));

        var report = await TestRecordings.ReplayAsync(file);

        var quality = report.Timeline.Quality;
        Assert.True(quality is { Lost: 0, LossUnknown: false, LossSpans.IsEmpty: true }, quality.ToString());
        Assert.NotEqual(Verdict.Undecided, report.Verdict);
    }

    [Fact]
    public async Task What_is_lost_after_it_is_still_told()
    {
        var file = await TestRecordings.UnpackAsync(Name, folder);
        var bytes = await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(file, WithoutABlock(bytes), TestContext.Current.CancellationToken);

        var report = await TestRecordings.ReplayAsync(file);

        Assert.True(report.Timeline.Quality is { Lost: > 0 } or { LossUnknown: true }, report.Timeline.Quality.ToString());
    }

    static int LostByTheLibrary(string file)
    {
        using var source = new EventPipeEventSource(file);
        source.Process();
        return source.EventsLost;
    }

    /// <summary>Cut out of the second half, which the library must notice by the numbers of the threads.</summary>
    static byte[] WithoutABlock(byte[] bytes)
    {
        const int HeaderLength = 102, NameAt = 15;
        List<(int From, int To)> events = [];
        for (var at = HeaderLength; at < bytes.Length && bytes[at] != 1;)
        {
            var from = at;
            var length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at + NameAt - sizeof(int)));
            var isEvents = bytes.AsSpan(at + NameAt, length).SequenceEqual("EventBlock"u8);
            at += NameAt + length + 1;
            var size = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(at));
            at = (at + sizeof(int) + 3) / 4 * 4 + size + 1;
            if (isEvents)
            {
                events.Add((from, at));
            }
        }

        // The stream is aligned to four bytes from its beginning, so a block whose length is no multiple of four cannot be taken out.
        var cut = events.First(e => e.From > bytes.Length / 2 && (e.To - e.From) % 4 == 0);
        return [.. bytes[..cut.From], .. bytes[cut.To..]];
    }
}
