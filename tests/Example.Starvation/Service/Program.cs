// A service that takes forty orders at once. Each asks a database, and blocks its worker until the answer has come.
var blocking = args is not ["--async"];
var orders = Enumerable.Range(0, 40).Select(_ => Task.Run(() => blocking ? Ask() : AskAsync())).ToList();
await Task.WhenAll(orders);
await Task.Delay(1500);

static Task Ask()
{
    Thread.Sleep(1500);
    return Task.CompletedTask;
}

static Task AskAsync() => Task.Delay(1500);
