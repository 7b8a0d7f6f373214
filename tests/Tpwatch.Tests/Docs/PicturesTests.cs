using Tpwatch.Lab.Pictures;
using Tpwatch.Tests.Replay;
using Tpwatch.Tests.Structure;

namespace Tpwatch.Tests.Docs;

/// <summary>
/// Every picture of the documentation is what the program draws today. UPDATE_GOLDEN=1 writes
/// them anew, as `pictures` of the benchmarks does.
/// </summary>
[Collection(UserPages.Written)]
public sealed class PicturesTests
{
    [Fact]
    public async Task No_picture_is_stale()
    {
        var accept = Golden.IsAccepted;
        var stale = new List<string>();
        foreach (var made in await AllPictures.MakeAsync(TestRecordings.Folder))
        {
            var path = Path.Combine(SourceTree.Root, made.Path);
            var now = File.Exists(path) ? await File.ReadAllTextAsync(path, TestContext.Current.CancellationToken) : "";
            var wanted = made.Part is { } part ? AllPictures.WithPart(now, part, made.Text) : made.Text;
            Assert.True(wanted is not null, $"{made.Path} lacks the part {made.Part}");
            if (now != wanted && accept)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                await File.WriteAllTextAsync(path, wanted, TestContext.Current.CancellationToken);
            }
            else if (now != wanted)
            {
                stale.Add($"{made.Path} {made.Part}");
            }
        }

        Assert.True(stale.Count == 0,
            $"stale: {string.Join(", ", stale)}; `dotnet run --project tests/Tpwatch.Lab -- pictures` makes them anew");
    }
}
