using Tpwatch.Run;
using Tpwatch.Screen.Commands;
using Tpwatch.Tests.Render;
using Tpwatch.Text;

namespace Tpwatch.Tests.Verbs;

public sealed class SavedReportTests : IDisposable
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("tpwatch-saved-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void Is_the_text_report_for_its_owner_alone_and_never_over_another_file()
    {
        var said = ReportSaver.Write(SampleReports.Starved(), TimeStyle.Utc, folder.FullName);
        var file = Assert.Single(folder.GetFiles());
        Assert.Equal($"Saved as {file.FullName}.", said);
        Assert.Equal("tpwatch-OrderApi-41822-20261121-022930.txt", file.Name);
        Assert.StartsWith("STARVED for 25.9 s, over now", File.ReadAllText(file.FullName), StringComparison.Ordinal);
        Assert.DoesNotContain("secret", File.ReadAllText(file.FullName), StringComparison.Ordinal);
        Assert.True(OperatingSystem.IsWindows() || file.UnixFileMode == (UnixFileMode.UserRead | UnixFileMode.UserWrite));
        Assert.Equal($"Already saved as {file.FullName}.", ReportSaver.Write(SampleReports.Starved(), TimeStyle.Utc, folder.FullName));
    }

    [Theory]
    [InlineData("csv", ".csv", "ms,")]
    [InlineData("csv-gaps", "-gaps.csv", "number,")]
    [InlineData("json", ".json", "{")]
    [InlineData("html", ".html", "<!DOCTYPE html>")]
    [InlineData("svg", ".svg", "<svg")]
    [InlineData("perfetto", ".perfetto.json", "{")]
    public void Another_document_is_saved_beside_it_under_the_same_name(string document, string ending, string begins)
    {
        Assert.True(ReportSaver.Documents.ContainsKey(document));
        ReportSaver.Write(SampleReports.Starved(), TimeStyle.Utc, folder.FullName, document);
        var file = Assert.Single(folder.GetFiles());
        Assert.Equal("tpwatch-OrderApi-41822-20261121-022930" + ending, file.Name);
        Assert.StartsWith(begins, File.ReadAllText(file.FullName), StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("secret", File.ReadAllText(file.FullName), StringComparison.Ordinal);
    }

    [Fact]
    public void What_cannot_be_made_of_this_report_leaves_no_file()
    {
        Assert.StartsWith("Not saved: ",
            ReportSaver.Write(SampleReports.Starved(), TimeStyle.Utc, folder.FullName, "speedscope"), StringComparison.Ordinal);
        Assert.Empty(folder.GetFiles());
    }

    [Fact]
    public void What_completes_after_export_can_be_saved()
    {
        Assert.NotEmpty(TypedCommands.Beginning("export "));
        Assert.All(TypedCommands.Beginning("export "), word => Assert.True(ReportSaver.Documents.ContainsKey(word), word));
        Assert.False(ReportSaver.Documents.ContainsKey("night.nettrace"));
    }

    [Fact]
    public void Says_why_it_was_not_saved() =>
        Assert.StartsWith("Not saved: ",
            ReportSaver.Write(SampleReports.Starved(), TimeStyle.Utc, Path.Combine(folder.FullName, "missing")), StringComparison.Ordinal);
}
