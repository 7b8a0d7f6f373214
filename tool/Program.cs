using System.CommandLine;

return new RootCommand("Explains, live and from outside, why a .NET process waits for its thread pool.").Parse(args).Invoke();
