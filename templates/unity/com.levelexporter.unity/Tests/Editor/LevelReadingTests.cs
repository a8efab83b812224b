using System.IO;
using System.Linq;
using LevelExporter.Importing;
using NUnit.Framework;

namespace LevelExporter.Tests
{
    /// <summary>
    /// Reads the level of the sample `Cavern`, and tests functions that need no level.
    /// </summary>
    public sealed class LevelReadingTests
    {
        // Unity resolves paths of packages, wherever it keeps them.
        private static readonly string Cavern = Path.GetFullPath(
            "Packages/com.levelexporter.unity/Samples~/Cavern/cavern.lvb");

        [Test]
        public void TheLevelOfTheSampleIsRead()
        {
            LevelBlob level = LevelBlob.Open(Cavern);
            Assert.AreEqual("cavern", level.Name);
            Assert.AreEqual(level.Width * level.Height, level.Cells("ground").Length);
            Assert.AreEqual(3, level.Objects.Count(thing => thing.Name == "chest"));
        }

        [Test]
        public void ObjectsOfTheSampleStandWhereOneCanWalkAndSeeThemselves()
        {
            LevelBlob level = LevelBlob.Open(Cavern);
            bool[] walkable = level.Walkable();
            foreach (LevelObject thing in level.Objects)
            {
                GridCell cell = thing.Cell;
                Assert.AreEqual(true, walkable[cell.Y * level.Width + cell.X]);
                Assert.AreEqual(true, level.CanSee(cell.X, cell.Y, cell.X, cell.Y));
            }
        }

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
