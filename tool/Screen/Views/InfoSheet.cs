using Terminal.Gui.ViewBase;
using Tpwatch.Screen.State;

namespace Tpwatch.Screen.Views;

/// <summary>Which data arrives, or which events were lost.</summary>
sealed class InfoSheet : Sheet
{
    readonly ScreenModel model;
    readonly bool loss;
    readonly TextPane text;

    /// <param name="looks">The looks of the moment.</param>
    /// <param name="model">What is shown.</param>
    /// <param name="loss">Whether it tells of lost events.</param>
    public InfoSheet(Func<Looks> looks, ScreenModel model, bool loss)
        : base(looks(), loss ? "which events were lost: esc closes" : "which data arrives, and which does not: esc closes", 90)
    {
        (this.model, this.loss) = (model, loss);
        text = new(looks);
        Add(text);
        model.Changed += Fill;
    }

    protected override View Rows => text;

    /// <inheritdoc/>
    protected override void Closed() => model.Changed -= Fill;

    /// <inheritdoc/>
    protected override bool OnKeyDown(global::Terminal.Gui.Input.Key key)
    {
        if (Commands.Bindings.Of(key, ViewName.Overview) == (loss ? UiAction.Loss : UiAction.SelfCheck))
        {
            Close();
            return true;
        }

        return base.OnKeyDown(key);
    }

    protected override void Fill()
    {
        if (model.Scene is { } scene)
        {
            text.Fill(null, width => loss ? InfoText.Loss(scene, width) : InfoText.SelfCheck(scene, width));
        }
    }
}
