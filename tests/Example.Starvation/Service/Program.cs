// A service that takes twenty orders at once. Each asks a database, and blocks its worker until the answer has come.
var blocking = args is not ["--async"];
var orders = Enumerable.Range(0, 20).Select(_ => Task.Run(() => blocking ? Ask() : AskAsync())).ToList();
await Task.WhenAll(orders);
// The observer sees an idle pool once more before the service ends.
await Task.Delay(1500);

static Task Ask()
{
    Thread.Sleep(4000);
    return Task.CompletedTask;
}

static Task AskAsync() => Task.Delay(4000);
