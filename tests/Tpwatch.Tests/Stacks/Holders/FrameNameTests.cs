using Tpwatch.Stacks;

namespace Tpwatch.Tests.Stacks.Holders;

public sealed class FrameNameTests
{
    [Theory]
    [InlineData("Shop!Shop.Orders.Repository.Load(int32)", "Shop.Orders.Repository.Load")]
    [InlineData("Shop!Shop.Semaphore+<>c__DisplayClass20_0.<Run>b__0()", "lambda in Shop.Semaphore.Run")]
    [InlineData("Shop!Shop.Start+<>c.<Main>b__0_1(class System.Object)", "lambda in Shop.Start.Main")]
    [InlineData("Shop!Shop.Repository+<LoadAsync>d__5.MoveNext()", "async Shop.Repository.LoadAsync")]
    [InlineData("Shop!Shop.Repository+<LoadAsync>d__5`1[System.__Canon].MoveNext()", "async Shop.Repository.LoadAsync")]
    [InlineData("Shop!Shop.Repository.<Load>g__Once|3_0(int32)", "local function Once of Shop.Repository.Load")]
    [InlineData("Shop!Shop.Engine.System.Threading.IThreadPoolWorkItem.Execute()", "Shop.Engine.Execute")]
    [InlineData("Shop!Shop.Orders.System.IDisposable.Dispose()", "Shop.Orders.Dispose")]
    [InlineData("Shop!Program.<Main>$(class System.String[])", "Program.Main")]
    [InlineData("Shop!Shop.Cache`2[System.__Canon,System.Int32].Get(!0)", "Shop.Cache.Get")]
    [InlineData("Shop!Shop.Cache+Entry.Fill[System.__Canon](!!0)", "Shop.Cache.Entry.Fill")]
    [InlineData("Shop!Shop.Repository..ctor()", "Shop.Repository.ctor")]
    [InlineData("Shop!Shop.Repository+<>c__DisplayClass1_0+<<Run>b__0>d.MoveNext()", "async lambda in Shop.Repository.Run")]
    [InlineData("Shop!Shop.Lazily+<>c.<.cctor>b__4_0()", "lambda in Shop.Lazily.cctor")]
    [InlineData("Shop!Shop.Lazily+<>c__DisplayClass2_0.<.ctor>b__0()", "lambda in Shop.Lazily.ctor")]
    [InlineData("Shop!Shop.Lazily.<.cctor>g__Open|4_1()", "local function Open of Shop.Lazily.cctor")]
    [InlineData("Shop!Shop.Lazily+<>c+<<-cctor>b__4_0>d.MoveNext()", "async lambda in Shop.Lazily.cctor")]
    [InlineData("Shop!Main", "Main")]
    public void Frames_are_called_as_their_author_wrote_them(string frame, string name) =>
        Assert.Equal((name, false), (FrameName.Of(frame).Full, FrameName.Of(frame).IsRuntime));

    [Theory]
    [InlineData("System.Private.CoreLib!System.Threading.Monitor.Enter(class System.Object)", "Monitor.Enter")]
    [InlineData("System.Private.CoreLib!System.Threading.Tasks.Task`1[System.__Canon].get_Result()", "Task.Result")]
    [InlineData("Microsoft.AspNetCore.Server.Kestrel.Core!Microsoft.AspNetCore.Server.Kestrel.Http.Http1.Run()", "Http1.Run")]
    [InlineData("!?", "?.?")]
    [InlineData("DynamicMethod(class System.Object)", "?")]
    public void The_runtimes_own_are_told_apart(string frame, string name)
    {
        Assert.True(FrameName.Of(frame).IsRuntime);
        if (!name.Contains('?', StringComparison.Ordinal))
        {
            Assert.Equal(name, FrameName.Of(frame).Short);
        }
    }

    [Fact]
    public void A_name_that_only_begins_like_the_runtimes_is_the_users() =>
        Assert.False(FrameName.Of("Systematic!Systematic.Run()").IsRuntime || FrameName.Of("Microsoftish.Shop!A.B()").IsRuntime);
}
