namespace Tpwatch.Lab.Pictures;

/// <summary>Writes every picture of the documentation anew.</summary>
static class PicturesCommand
{
    public static async Task<int> RunAsync(string[] args)
    {
        if (args.Length > 0)
            return new Words(args).Refuse("pictures takes no words");
        foreach (var made in await AllPictures.MakeAsync(BuiltPrograms.Recordings))
        {
            var path = Path.Combine(BuiltPrograms.Root, made.Path);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            var text = made.Part is { } part ? AllPictures.WithPart(await File.ReadAllTextAsync(path), part, made.Text) : made.Text;
            await File.WriteAllTextAsync(path, text ?? throw new InvalidOperationException($"{made.Path} lacks the part {made.Part}"));
            Console.WriteLine(
                $"{made.Path}{(made.Part is null ? "" : $" ({made.Part})")}: {made.Text.Length} characters");
        }

        return 0;
    }
}
