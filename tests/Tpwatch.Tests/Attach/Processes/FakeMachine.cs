using System.Globalization;
using Tpwatch.Targets;
using Tpwatch.Tests.Attach.Targets;

namespace Tpwatch.Tests.Attach.Processes;

/// <summary>A machine of files: its /proc, its /tmp and its users. We are process 4000, user alice (1000).</summary>
sealed class FakeMachine : IDisposable
{
    public const int Self = 4000;
    public const string RuntimeMap = "7f00-7f01 r-xp 0000 08:01 9 /usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so\n";

    int threads = 90_000;

    public FakeMachine(int user = 1000)
    {
        Directory.CreateDirectory(Folder["tmp"]);
        Folder.Write("passwd", "root:x:0:0:root:/root:/bin/sh\nalice:x:1000:1000::/:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n");
        Add(Self, "tpwatch", user: user);
        Directory.CreateSymbolicLink(Folder["proc/self"], "4000");
    }

    public TempFolder Folder { get; } = new();

    public SystemPaths Machine =>
        new() { Proc = Folder["proc"], Passwd = Folder["passwd"], Temp = Folder["tmp"], IsLinux = true, SocketOwner = OwnerOf };

    /// <summary>Whose a socket is; root's, unless it stands here. Null is a file that is no socket.</summary>
    public Dictionary<string, int?> Owners { get; } = [];

    /// <summary>A process that started at tick 100 after boot.</summary>
    public void Add(int pid, string name, char state = 'S', int user = 1000, string? nsPid = null)
    {
        var id = pid.ToString(CultureInfo.InvariantCulture);
        Folder.Write($"proc/{id}/stat", $"{id} ({name}) {state} 1 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 100 0 0\n");
        Folder.Write($"proc/{id}/status",
            $"Name:\t{name}\nTgid:\t{id}\nNSpid:\t{nsPid ?? id}\nUid:\t{user}\t{user}\t{user}\t{user}\nCpus_allowed_list:\t0-1,4\n");
        Folder.Write($"proc/{id}/cmdline", name + "\0");
        Folder.Write($"proc/{id}/environ", "HOME=/\0");
        Folder.Write($"proc/{id}/maps", "5500-5501 r-xp 0000 08:01 7 /usr/bin/" + name + "\n");
        Directory.CreateSymbolicLink(Folder[$"proc/{id}/root"], Folder.Path);
    }

    public void AddDotnet(int pid, string assembly, int user = 1000, string environment = "HOME=/")
    {
        Add(pid, "dotnet", user: user);
        Write(pid, "cmdline", $"/usr/bin/dotnet\0/srv/{assembly}.dll\0--password=hush\0");
        Write(pid, "maps", RuntimeMap);
        Write(pid, "environ", environment.Replace(' ', '\0') + "\0");
    }

    public void Write(int pid, string file, string text) =>
        Folder.Write(string.Create(CultureInfo.InvariantCulture, $"proc/{pid}/{file}"), text);

    /// <summary>Threads of a process; those of a runtime have names that begin with <c>.NET</c>.</summary>
    public void AddThreads(int pid, string name, int count = 1)
    {
        for (var i = 0; i < count; i++)
        {
            Write(pid, string.Create(CultureInfo.InvariantCulture, $"task/{++threads}/comm"), name + "\n");
        }
    }

    /// <summary>A plain file stands for the socket: the search only looks whether it is there.</summary>
    public string AddSocket(int pid, string folder = "tmp", int startTime = 100) =>
        Folder.Write(string.Create(CultureInfo.InvariantCulture, $"{folder}/dotnet-diagnostic-{pid}-{startTime}-socket"), "");

    int? OwnerOf(string path) => !File.Exists(path) ? null : Owners.TryGetValue(path, out var owner) ? owner : 0;

    public void Dispose() => Folder.Dispose();
}
