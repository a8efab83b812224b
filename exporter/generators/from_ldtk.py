"""Make maps from LDtk: IntGrid values or tiles of a level or world."""

from __future__ import annotations

from typing import Annotated

from exporter.generators import Generated, Parts, Request, generator
from exporter.generators._handmade import HandmadeParameters, halo, hand_made, shortfall
from exporter.handmade.ldtk.project import chosen_level, chosen_world, read_project
from exporter.handmade.ldtk.reading import level_map, world_map
from exporter.model.errors import ParameterError
from exporter.model.lazy_dataclass import dataclass
from exporter.model.parameters import About, Within

# A level, layer or world of LDtk: an identifier, or LDtk's own `iid`.
LdtkName = Annotated[str, Within(1, 128, length=True)]


@dataclass(frozen=True, kw_only=True)
class FromLdtk(HandmadeParameters):
    """A map drawn in LDtk.

    IntGrid values are tiles by their names in LDtk; a tile of a tileset is known by its enum tag or
    custom data, and its number is LDtk's id and 1. Tiles that rules make are not read.
    """

    level: Annotated[
        LdtkName | None,
        About("The level, by its name or iid; default: the only one.", also=("room",)),
    ] = None
    world: Annotated[
        bool | LdtkName,
        About(
            "Read all levels of the world as one map, each where it lies; in a project of several "
            "worlds the name or iid of one."
        ),
    ] = False
    depth: Annotated[
        int | None,
        Within(-1000, 1000),
        About("With `world`: the world depth of the levels that are read; default: 0."),
    ] = None
    layer: Annotated[
        LdtkName | None,
        About(
            "The layer of IntGrid values or tiles; default: the only one of IntGrid values, or of "
            "tiles without such a layer."
        ),
    ] = None

    def check(self, width: int, height: int) -> None:
        """Refuse `level` together with `world`, and `depth` without `world`."""
        if self.level is not None and self.world is not False:
            raise ParameterError("give either `level` or `world`, not both", ("level",))
        if self.depth is not None and self.world is False:
            raise ParameterError(
                "`depth` has no effect without `world: true` (add that, or remove `depth`)",
                ("depth",),
            )


@generator(
    "from_ldtk", version=1, parts=Parts(halo), shortfall=shortfall, also=("intgrid", "hand_made")
)
def generate(parameters: FromLdtk, request: Request) -> Generated:
    """Read the project; choose a level, or join the levels of its world."""
    parameters.check(request.width, request.height)
    content = request.read_project_file(parameters.file, ("file",))

    def read_file(path: str) -> bytes:
        return request.read_project_file(path, ("file",))

    try:
        project = read_project(content, parameters.file, read_file)
        if parameters.world is False:
            level = chosen_level(project, parameters.level)
            drawn = level_map(project, level, parameters.layer)
        else:
            expected = parameters.world if isinstance(parameters.world, str) else None
            world = chosen_world(project, expected)
            drawn = world_map(project, world, parameters.depth or 0, parameters.layer)
    except ParameterError as error:
        raise ParameterError(error.message, error.path or ("file",)) from None
    return hand_made(drawn, drawn.layers[0], parameters, request)
