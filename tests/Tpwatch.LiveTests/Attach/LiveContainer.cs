using System.Diagnostics;
using System.Globalization;
using Tpwatch.Lab;
using Tpwatch.LiveTests.CommandLine;

namespace Tpwatch.LiveTests.Attach;

/// <summary>
/// A program in a root, mounts, processes and, where wanted, users of its own, as container runtimes make them; there it is the first
/// process. Ends with the test at the latest.
/// </summary>
sealed class LiveContainer : IAsyncDisposable
{
    // The build and the tool may lie below /tmp, which is hidden: they are shown at other places first.
    const string Script = """
        set -e
        mount -t tmpfs none /mnt && mkdir /mnt/root && mount --rbind / /mnt/root && cd /mnt/root
        mount -t tmpfs none mnt && mkdir mnt/build mnt/tool mnt/share && mkdir -m 1777 mnt/temp
        mount --bind "$1" mnt/build && mount --bind "$2" mnt/tool && mount --bind "$3" mnt/share
        mount -t tmpfs none tmp && mount -t proc none proc
        if [ "$4" = read-only ]; then mount -o remount,ro,bind . && mount -o remount,ro tmp; fi
        shift 4 && exec chroot . "$@"
        """;

    static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    readonly Process outside;

    LiveContainer(Process outside, int pid)
    {
        this.outside = outside;
        Pid = pid;
    }

    /// <summary>Its process id as this machine counts; in its container it is 1.</summary>
    public int Pid { get; }

    public string Id => Pid.ToString(CultureInfo.InvariantCulture);

    /// <summary>The fixture that keeps the pool starved for a minute, in a container.</summary>
    public static string[] Starved { get; } =
        ["dotnet", "exec", "/mnt/build/Tpwatch.Fixtures.dll", "pool-burst", "--items", "60", "--hold", "60000"];

    /// <summary>The built tool, where its folder is shown in the container.</summary>
    public static string[] ToolInside => ["dotnet", "/mnt/tool/dotnet-tpwatch.dll"];

    /// <summary>Begins it, and waits until the program says that it is ready.</summary>
    /// <param name="shape">Which rights it has.</param>
    /// <param name="share">A folder of this machine that is <c>/mnt/share</c> there.</param>
    /// <param name="program">What runs there.</param>
    public static async Task<LiveContainer> StartAsync(ContainerShape shape, string share, params string[] program)
    {
        var container = await BeginAsync(shape, share, program);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Limit);
        while (await container.outside.StandardOutput.ReadLineAsync(limit.Token) is { } line)
        {
            if (line.StartsWith("READY", StringComparison.Ordinal))
            {
                return container;
            }
        }

        await container.DisposeAsync();
        throw new InvalidOperationException("the container's program ended before it was ready");
    }

    /// <summary>Begins it, and waits for nothing.</summary>
    public static async Task<LiveContainer> BeginAsync(ContainerShape shape, string share, params string[] program)
    {
        string[] users = shape == ContainerShape.OwnUsers && await MayHaveUsersAsync() ? ["--user", "--map-root-user"] : [];
        string[] flags = [.. users, "--mount", "--pid", "--fork", "--kill-child"];
        var tool = Path.GetDirectoryName(ToolRun.Tool)!;
        string[] words = [AppContext.BaseDirectory, tool, share, shape == ContainerShape.ReadOnly ? "read-only" : "writable", .. program];
        ProcessStartInfo start = new("unshare", [.. flags, "sh", "-c", Script, "sh", .. words]) { RedirectStandardOutput = true };
        var outside = Process.Start(start)!;
        return new(outside, await ChildAsync(outside.Id));
    }

    /// <summary>Runs the tool in another container, whose processes are this one's too and whose mounts are not.</summary>
    public Task<ToolRun> FromSidecarAsync(params string[] arguments) => ToolRun.Program("nsenter",
        ["-t", Id, "-p", "unshare", "--mount", "sh", "-c", "mount -t proc none /proc && exec \"$@\"", "sh", .. BuiltTool, .. arguments]);

    /// <summary>Runs a command in the container itself.</summary>
    public Task<ToolRun> InsideAsync(params string[] command) => ToolRun.Program("nsenter", ["-t", Id, "-m", "-p", "-r", "-w", .. command]);

    /// <summary>Runs the tool in another container, which shares nothing but a folder: there it is <c>/mnt</c>.</summary>
    public static Task<ToolRun> BesideFolderAsync(string share, params string[] arguments) => ToolRun.Program("unshare",
        ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", "mount --bind \"$1\" /mnt && shift && exec \"$@\"",
            "sh", share, .. BuiltTool, .. arguments]);

    public async ValueTask DisposeAsync()
    {
        if (!outside.HasExited)
        {
            outside.Kill(entireProcessTree: true);
            await outside.WaitForExitAsync();
        }

        outside.Dispose();
    }

    /// <summary>The tool on this machine.</summary>
    public static string[] BuiltTool => [BuiltPrograms.Host, ToolRun.Tool];

    // Where /proc is partly hidden, as in some containers, no user may mount it again in a namespace of his own.
    static async Task<bool> MayHaveUsersAsync() =>
        (await ToolRun.Program("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "--mount-proc", "true")).Code == 0;

    static async Task<int> ChildAsync(int parent)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(Limit);
        while (true)
        {
            foreach (var folder in Directory.GetDirectories("/proc"))
            {
                if (int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var pid) && ParentOf(folder) == parent)
                {
                    return pid;
                }
            }

            await Task.Delay(TimeSpan.FromMilliseconds(20), limit.Token);
        }
    }

    static int? ParentOf(string folder)
    {
        try
        {
            var stat = File.ReadAllText(Path.Combine(folder, "stat"));
            return int.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[1], CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return null;
        }
    }
}

/// <summary>Which rights a container has.</summary>
public enum ContainerShape
{
    /// <summary>Everything is writable there; its users are this machine's.</summary>
    Plain,

    /// <summary>Its root is an ordinary user of this machine's, where the kernel lets that be.</summary>
    OwnUsers,

    /// <summary>Nothing is writable there but <c>/mnt/temp</c> and what is shared.</summary>
    ReadOnly,
}
