using Tpwatch.Screen;

namespace Tpwatch.Tests.Screen;

/// <summary>Esc as a key and as the beginning of a sequence, however the bytes arrive.</summary>
public sealed class EscKeySequenceTests
{
    const string Key = "\e[27u";

    [Theory]
    [InlineData("q", "q")]
    [InlineData("\e", Key)]
    [InlineData("\eq", Key + "q")]
    [InlineData("\e\e1f=q", Key + Key + "1f=q")]
    [InlineData("\e[A", "\e[A")]
    [InlineData("\eOP\e", "\eOP" + Key)]
    [InlineData("\e\e[A", Key + "\e[A")]
    [InlineData("\e[<0;3;4M\e[<0;3;4m", "\e[<0;3;4M\e[<0;3;4m")]
    public void Of_one_piece(string typed, string wanted) => Assert.Equal(wanted, Spell(typed));

    [Theory]
    [InlineData("\e", "[A", "\e[A")]
    [InlineData("\e", "q", Key + "q")]
    [InlineData("x\e", "\e", "x" + Key + Key)]
    public void A_sequence_may_come_in_two_pieces(string first, string second, string wanted) => Assert.Equal(wanted, Spell(first, second));

    static string Spell(params string[] pieces)
    {
        var left = new Queue<string>(pieces);
        return EscKeySequence.Spelled(() => left.TryDequeue(out var piece) ? piece : "", () => left.Count > 0);
    }
}
