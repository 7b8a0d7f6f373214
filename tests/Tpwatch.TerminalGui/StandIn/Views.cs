using System.Drawing;
using Terminal.Gui.App;
using Terminal.Gui.Drivers;
using Terminal.Gui.Input;

namespace Terminal.Gui.ViewBase
{
    public class DrawContext;

    public abstract class View : IDisposable
    {
        bool needsDraw = true;
        (int Width, int Height) drawn;

        /// <summary>Ours alone: set by the stand-in's loop.</summary>
        internal StandInApplication? Host { get; set; }

        StandInDriver Screen => Host!.Screen;

        public virtual Rectangle Viewport { get => new(0, 0, Screen.Width, Screen.Height); set => throw new NotSupportedException(); }

        public bool CanFocus { get; set; } = true;

        public void SetNeedsDraw() => needsDraw = true;

        public bool Move(int col, int row) => Screen.Move(col, row);

        public Drawing.Attribute SetAttribute(Drawing.Attribute attribute) => Screen.SetAttribute(attribute);

        public void AddStr(string str) => Screen.AddStr(str);

        public void Dispose()
        {
            Dispose(true);
            GC.SuppressFinalize(this);
        }

        internal void Take(Key key) => OnKeyDown(key);

        internal void DrawWhenNeeded()
        {
            if (needsDraw || drawn != (Screen.Width, Screen.Height))
            {
                (needsDraw, drawn) = (false, (Screen.Width, Screen.Height));
                Screen.Drawings++;
                _ = OnClearingViewport();
                _ = OnDrawingContent(new DrawContext());
            }
        }

        protected virtual bool OnClearingViewport() => false;

        protected virtual bool OnDrawingContent(DrawContext? context) => false;

        protected virtual bool OnKeyDown(Key key) => false;

        protected virtual void Dispose(bool disposing)
        {
        }
    }
}

namespace Terminal.Gui.Views
{
    public class Runnable : ViewBase.View;
}
