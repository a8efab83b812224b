"""Write a level as a 3D model: binary glTF 2.0."""
