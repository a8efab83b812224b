using LevelExporter.Importing;
using NUnit.Framework;

namespace LevelExporter.Tests
{
    /// <summary>What can be tried in the editor without a level at hand.</summary>
    public sealed class LevelReadingTests
    {
        [Test]
        public void BytesThatAreNoLevelAreRefused()
        {
            Assert.Throws<LevelBlobException>(() => LevelBlob.FromBytes(new byte[100]));
        }

        [Test]
        public void AWallHidesWhatIsBehindIt()
        {
            bool[] opaque = { false, false, true, false };
            var seen = new bool[4];
            FieldOfView.Compute(opaque, 4, 1, 0, 0, 8, SightRule.Symmetric, false, seen);
            Assert.AreEqual(new[] { true, true, true, false }, seen);
        }

        [Test]
        public void TheTopRowOfALevelIsTheLastOfATilemap()
        {
            Assert.AreEqual(new[] { 3, 4, 1, 2 }, BottomUp.Rows(new[] { 1, 2, 3, 4 }, 2, 2));
        }

        [Test]
        public void AHoleIsARingOfItsOwn()
        {
            bool[] mask = { true, true, true, true, false, true, true, true, true };
            GridCell[][] rings = MaskOutlines.Of(mask, 3, new GridView(0, 0, 3, 3))[0];
            Assert.AreEqual(2, rings.Length);
            Assert.AreEqual(new GridCell(1, 1), rings[1][0]);
        }
    }
}
