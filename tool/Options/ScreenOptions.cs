using System.CommandLine;
using Tpwatch.Text;

namespace Tpwatch.Options;

/// <summary>The options that turn the screen off or change its appearance.</summary>
sealed class ScreenOptions
{
    const int MaxFramesPerSecond = 60;

    readonly Option<bool> plain = new("--plain")
    {
        Description = "No screen: one line for each change of state, finding to act on, and thread injection.",
    };
    readonly Option<string?> color = OptionKinds.Choice("--color", "Colors of the screen", "auto", "always", "never", "16", "truecolor");
    readonly Option<string?> glyphs = OptionKinds.Choice("--glyphs", "Characters of the screen", "auto", "braille", "block", "ascii");
    readonly Option<string?> theme = OptionKinds.Choice("--theme", "Color theme of the screen", "auto", "dark", "light", "16", "mono");

    readonly Option<string?> mouse = OptionKinds.Choice("--mouse",
        "Whether the screen takes the mouse; with 'off', the terminal's own selection works", "on", "off");

    readonly Option<int?> fps = OptionKinds.Number(
        "--fps", [], $"Maximum number of redraws a second (default: {ScreenRequest.DefaultFramesPerSecond}).", 1, MaxFramesPerSecond);

    /// <summary>Declares the options on a command.</summary>
    public void AddTo(Command command)
    {
        command.Options.Add(plain);
        command.Options.Add(color);
        command.Options.Add(glyphs);
        command.Options.Add(theme);
        command.Options.Add(mouse);
        command.Options.Add(fps);
    }

    /// <summary>Returns the requested appearance of the screen; null if the user wants no screen.</summary>
    public ScreenRequest? Read(ParseResult parse, TimeStyle time) => parse.GetValue(plain)
        ? null
        : new(parse.GetValue(color) ?? "auto", parse.GetValue(glyphs) ?? "auto",
            parse.GetValue(theme), parse.GetValue(fps) ?? ScreenRequest.DefaultFramesPerSecond, time)
        {
            Mouse = parse.GetValue(mouse) != "off",
        };
}
