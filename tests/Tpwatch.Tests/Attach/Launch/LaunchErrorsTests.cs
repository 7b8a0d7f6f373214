using Tpwatch.Core;
using Tpwatch.Sessions;

namespace Tpwatch.Tests.Attach.Launch;

public sealed class LaunchErrorsTests
{
    [Theory]
    [InlineData("dotnet run")]
    [InlineData("/usr/share/dotnet/dotnet watch --project x")]
    [InlineData("dotnet test")]
    [InlineData("dotnet build App.csproj")]
    [InlineData("dotnet --nologo RUN")]
    [InlineData("dotnet app.cs")]
    [InlineData("")]
    public void Commands_that_only_start_the_real_one_are_refused(string words)
    {
        Assert.Equal(ExitCode.Arguments, LaunchErrors.WhyNot(words.Split(' '))?.ExitCode);
    }

    [Theory]
    [InlineData("dotnet App.dll run")]
    [InlineData("dotnet exec App.dll test")]
    [InlineData("./App run")]
    [InlineData("env X=1 dotnet App.dll")]
    [InlineData("dotnet --roll-forward Major App.dll")]
    public void Programs_are_not(string words) => Assert.Null(LaunchErrors.WhyNot(words.Split(' ')));
}
