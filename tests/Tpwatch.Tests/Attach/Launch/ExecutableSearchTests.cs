using Tpwatch.Core;
using Tpwatch.Sessions;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Attach.Launch;

public sealed class ExecutableSearchTests : IDisposable
{
    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public void A_name_is_looked_for_along_the_path_and_the_first_that_can_be_executed_counts()
    {
        folder.Write("one/app", "not executable");
        var second = Executable("two/app");
        Executable("three/app");
        Assert.Equal(second, ExecutableSearch.Find("app", $"{folder["none"]}:{folder["one"]}:{folder["two"]}:{folder["three"]}"));
    }

    [Fact]
    public void A_path_is_taken_as_it_is()
    {
        var app = Executable("app");
        Assert.Equal(app, ExecutableSearch.Find(app, searchPath: ""));
    }

    [Theory]
    [InlineData("nothing", "The command 'nothing' was not found")]
    [InlineData("plain", "cannot be executed")]
    public void What_cannot_be_started_is_code_3(string name, string sentence)
    {
        folder.Write("bin/plain", "");
        var e = Assert.Throws<UserErrorException>(() => ExecutableSearch.Find(name, folder["bin"]));
        Assert.Contains(sentence, e.Message, StringComparison.OrdinalIgnoreCase);
        Assert.Equal(ExitCode.Arguments, e.ExitCode);
    }

    [Fact]
    public void An_assembly_in_place_of_a_program_is_told_how_to_be_run()
    {
        var dll = folder.Write("App.dll", "");
        Assert.Equal($"write -- dotnet {dll}", Assert.Throws<UserErrorException>(() => ExecutableSearch.Find(dll, "")).Hint);
    }

    string Executable(string name)
    {
        var path = folder.Write(name, "#!/bin/sh\n");
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        }

        return path;
    }
}
