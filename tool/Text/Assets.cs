namespace Tpwatch.Text;

/// <summary>The style and the script of the page, and the scripts for shells: files of their own in the source.</summary>
static class Assets
{
    /// <summary>The look of the lanes; a timeline that is a file of its own carries it alone.</summary>
    public static string TimelineCss => Read("timeline.css");

    /// <summary>The look of the page.</summary>
    public static string PageCss => Read("page.css");

    /// <summary>What the page does: a cursor over the timeline, and keys that step through the waits.</summary>
    public static string PageScript => Read("page.js");

    /// <summary>What completes a command line in a shell.</summary>
    public static string Completion(string shell) => Read($"completion.{shell}");

    static string Read(string name)
    {
        using var stream = typeof(Assets).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
