using System.Collections.Generic;

namespace LevelExporter.Blob
{
    /// <summary>
    /// Checks the fields of a layer without a member in the class, so that every value of a level's
    /// description has the type that the specification says.
    /// </summary>
    internal static class LayerChecks
    {
        private static readonly string[] RoomNumbers = { "x", "y", "width", "height" };

        private static readonly string[] CertificateNumbers =
        {
            "regions_before", "regions_after", "cells_carved", "floor", "cells", "farthest",
            "dead_ends", "chokes",
        };

        public static void Check(Dictionary<string, object> layer)
        {
            ValueFields.Text(layer, "generator");
            ValueFields.Whole(ValueFields.Field(layer, "version"));
            ValueFields.Truth(layer, "complete");
            ValueFields.Map(ValueFields.Field(layer, "report"));
            foreach (object room in ValueFields.List(ValueFields.Field(layer, "rooms")))
            {
                Room(ValueFields.Map(room));
            }
            object certificate = ValueFields.Field(layer, "certificate");
            if (certificate != null)
            {
                Certificate(ValueFields.Map(certificate));
            }
        }

        private static void Room(Dictionary<string, object> room)
        {
            ValueFields.Text(room, "name");
            foreach (string key in RoomNumbers)
            {
                ValueFields.Whole(ValueFields.Field(room, key));
            }
            ValueFields.Cell(ValueFields.Field(room, "center"));
        }

        private static void Certificate(Dictionary<string, object> certificate)
        {
            foreach (string key in CertificateNumbers)
            {
                ValueFields.Whole(ValueFields.Field(certificate, key));
            }
            object start = ValueFields.Field(certificate, "start");
            if (start != null)
            {
                ValueFields.Cell(start);
            }
        }
    }
}
