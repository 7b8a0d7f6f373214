using System.Collections.Immutable;
using Tpwatch.Targets;
using Tpwatch.Tests.Attach.Processes;

namespace Tpwatch.Tests.Attach.Settings;

public sealed class ApplicationAssembliesTests : IDisposable
{
    const int Pid = 5000;

    /// <summary>As the SDK writes it: the program, a project that it references under another assembly name, and a package.</summary>
    const string Deps = """
        {
          "targets": {
            ".NETCoreApp,Version=v10.0": {
              "Shop/1.0.0": { "dependencies": { "Npgsql": "9.0.3" }, "runtime": { "Shop.dll": {} } },
              "Npgsql/9.0.3": { "runtime": { "lib/net8.0/Npgsql.dll": { "assemblyVersion": "9.0.3.0" } } },
              "Shop.Data/1.0.0": { "runtime": { "Contoso.Shop.Data.dll": {} } }
            }
          },
          "libraries": {
            "Shop/1.0.0": { "type": "project", "serviceable": false, "sha512": "" },
            "Npgsql/9.0.3": { "type": "package", "serviceable": true },
            "Shop.Data/1.0.0": { "type": "project" }
          }
        }
        """;

    readonly FakeMachine machine = new();

    public void Dispose() => machine.Dispose();

    [Fact]
    public void The_projects_of_the_deps_file_are_own_and_its_packages_are_not()
    {
        machine.AddDotnet(Pid, "Shop");
        machine.Folder.Write("srv/Shop.deps.json", Deps);
        Assert.Equal(["Contoso.Shop.Data", "Shop"], Of()!.Order());
    }

    [Fact]
    public void The_file_that_the_host_was_given_counts()
    {
        machine.AddDotnet(Pid, "Shop");
        machine.Write(Pid, "cmdline", "dotnet\0exec\0--depsfile\0/etc/other.json\0/srv/Shop.dll\0");
        machine.Folder.Write("etc/other.json", Deps);
        Assert.Equal(2, Of()!.Count);
    }

    [Theory]
    [InlineData(null)]
    [InlineData("[]")]
    [InlineData("""{ "libraries": { "A/1": { "type": 7 } }, "targets": { "x": { "A/1": { "runtime": [] } } } }""")]
    [InlineData("""{ "libraries": { "A/1": { "type": "project" } }, "targets": [ {} ] }""")]
    [InlineData("{ broken")]
    public void Without_one_that_can_be_used_the_entry_assembly_is_and_what_nobody_signed_beside_it(string? deps)
    {
        machine.AddDotnet(Pid, "Shop");
        if (deps is not null)
        {
            machine.Folder.Write("srv/Shop.deps.json", deps);
        }

        // This assembly is not signed, the framework's is; the third is none.
        Copy(typeof(ApplicationAssembliesTests).Assembly.Location, "srv/Shop.dll");
        Copy(typeof(ApplicationAssembliesTests).Assembly.Location, "srv/Shop.Data.dll");
        Copy(typeof(ImmutableArray).Assembly.Location, "srv/Signed.dll");
        machine.Folder.Write("srv/Native.dll", "MZ, but no more of it");
        Assert.Equal(["Shop", "Shop.Data"], Of()!.Order());
    }

    [Fact]
    public void Of_a_single_file_and_of_a_process_that_is_gone_nothing_is_known()
    {
        machine.Add(Pid, "Shop");
        File.CreateSymbolicLink(machine.Folder[$"proc/{Pid}/exe"], "/opt/Shop");
        machine.Folder.Write("opt/Shop", "the whole program");
        Assert.Null(Of());
        Assert.Null(ApplicationAssemblies.Of(machine.Machine.Tree, Pid + 1));
    }

    void Copy(string from, string to)
    {
        machine.Folder.Write(to, "");
        File.Copy(from, machine.Folder[to], overwrite: true);
    }

    ImmutableHashSet<string>? Of() => ApplicationAssemblies.Of(machine.Machine.Tree, Pid);
}
