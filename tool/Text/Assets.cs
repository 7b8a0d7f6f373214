namespace Tpwatch.Text;

/// <summary>The style sheets and the script of the HTML page, and the scripts for shells, read from embedded resources.</summary>
static class Assets
{
    /// <summary>The style of the lanes; the only style sheet in a timeline that is a file of its own.</summary>
    public static string TimelineCss => Read("timeline.css");

    /// <summary>The style of the page.</summary>
    public static string PageCss => Read("page.css");

    /// <summary>The script of the page: a cursor over the timeline, and keys that step through the injection delays.</summary>
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
